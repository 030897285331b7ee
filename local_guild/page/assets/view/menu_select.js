// A select menu under a message or in a modal: one choice acts at once, several are confirmed together.

import { computed, inject, ref, watch } from "vue";
import { channelsOf, peopleOf, rolesOf } from "../text/nameable.js";
import { Icon } from "./icon.js";
import { Popup } from "./popup.js";

const TEXT = 3;
const NAMED = { 5: peopleOf, 6: rolesOf, 8: channelsOf };

function entries(component, session) {
  const guild = session.guild.value;
  if (component.type === TEXT) return component.options ?? [];
  return guild ? NAMED[component.type](guild, session, component.channel_types) : [];
}

function presetOf(component) {
  const marked = (component.options ?? []).filter((one) => one.default).map((one) => one.value);
  return [...marked, ...(component.default_values ?? []).map((one) => one.id)];
}

export const MenuSelect = {
  name: "MenuSelect",
  components: { Icon, Popup },
  props: { component: { type: Object, required: true }, busy: Boolean },
  emits: ["choose"],
  setup(props, { emit }) {
    const session = inject("session");
    const anchor = ref(null);
    const open = ref(false);
    const options = computed(() => entries(props.component, session));
    const chosen = ref(presetOf(props.component));
    // The bot answered by changing the message: what it says is chosen holds.
    watch(() => props.component, (component) => (chosen.value = presetOf(component)));
    const most = computed(() => props.component.max_values ?? 1);
    const label = computed(() => props.component.placeholder || "Make a selection");
    const shown = computed(() => {
      const names = options.value.filter((one) => chosen.value.includes(one.value)).map((one) => one.label);
      return names.join(", ") || label.value;
    });

    function finish() {
      open.value = false;
      emit("choose", [...chosen.value]);
    }

    function pick(value) {
      const has = chosen.value.includes(value);
      if (most.value === 1) {
        chosen.value = has && props.component.min_values === 0 ? [] : [value];
        finish();
        return;
      }
      if (has) chosen.value = chosen.value.filter((one) => one !== value);
      else if (chosen.value.length < most.value) chosen.value = [...chosen.value, value];
    }

    return { anchor, open, options, chosen, most, label, shown, pick, finish };
  },
  template: `
    <button ref="anchor" type="button" class="select" :disabled="component.disabled || busy" aria-haspopup="listbox"
      :aria-expanded="open" :aria-label="label + ': ' + shown" @click="open = !open">
      <bdi>{{ shown }}</bdi><Icon name="chevron" />
    </button>
    <Popup v-if="open" :anchor="anchor" :label="label" role="listbox" @close="open = false">
      <button v-for="option in options" :key="option.value" type="button" role="option" class="popup-item"
        :aria-selected="chosen.includes(option.value)" @click="pick(option.value)">
        <span class="popup-check"><Icon v-if="chosen.includes(option.value)" name="check" /></span>
        <span class="popup-lines"><bdi>{{ option.label }}</bdi>
          <small v-if="option.description"><bdi>{{ option.description }}</bdi></small></span>
      </button>
      <p v-if="options.length === 0" class="popup-note">Nothing to choose from.</p>
      <button v-if="most > 1" type="button" class="button button-primary popup-done"
        :disabled="chosen.length < (component.min_values ?? 1)" @click="finish">Choose</button>
    </Popup>`,
};
