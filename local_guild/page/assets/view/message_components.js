// Buttons, menus and layout blocks that a bot puts under its message.

import { computed, inject } from "vue";
import { attempt } from "../state/acts.js";
import { safeUrl } from "../text/markdown_inline.js";
import { edgeOf } from "./embed_card.js";
import { Icon } from "./icon.js";
import { MenuSelect } from "./menu_select.js";
import { RichText } from "./rich_text.js";

const BUTTON_STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger", 5: "link" };

const ComponentButton = {
  name: "ComponentButton",
  components: { Icon },
  props: { component: { type: Object, required: true }, message: { type: Object, required: true } },
  setup(props) {
    const session = inject("session");
    const url = computed(() => (props.component.url ? safeUrl(props.component.url) : null));
    const look = computed(() => `button-${BUTTON_STYLES[props.component.style] ?? "secondary"}`);
    const busy = computed(() => session.interactions.isBusy(props.message.id, props.component.custom_id));
    // Not disabled while it waits: that would take the keyboard away from whoever pressed it.
    const press = () =>
      busy.value || attempt(() => session.interactions.press(props.message, props.component, null));
    return { url, look, busy, press };
  },
  template: `
    <a v-if="url" class="button button-link" :href="url" target="_blank" rel="noopener noreferrer nofollow" :title="url">
      <span v-if="component.emoji?.name">{{ component.emoji.name }}</span><bdi>{{ component.label }}</bdi>
      <Icon name="window" /></a>
    <button v-else type="button" class="button" :class="look" :disabled="component.disabled" :aria-disabled="busy || null"
      :aria-busy="busy" @click="press">
      <span v-if="component.emoji?.name">{{ component.emoji.name }}</span><bdi v-if="component.label">{{ component.label }}</bdi>
    </button>`,
};

const ComponentSelect = {
  name: "ComponentSelect",
  components: { MenuSelect },
  props: { component: { type: Object, required: true }, message: { type: Object, required: true } },
  setup(props) {
    const session = inject("session");
    const busy = computed(() => session.interactions.isBusy(props.message.id, props.component.custom_id));
    const choose = (values) => attempt(() => session.interactions.press(props.message, props.component, values));
    return { busy, choose };
  },
  template: `<MenuSelect :component="component" :busy="busy" @choose="choose" />`,
};

export const MessageComponent = {
  name: "MessageComponent",
  components: { ComponentButton, ComponentSelect, RichText },
  props: { component: { type: Object, required: true }, message: { type: Object, required: true } },
  setup(props) {
    return { edge: computed(() => edgeOf(props.component.accent_color)) };
  },
  template: `
    <div v-if="component.type === 1" class="component-row">
      <MessageComponent v-for="(one, index) in component.components" :key="one.custom_id ?? index" :component="one"
        :message="message" />
    </div>
    <ComponentButton v-else-if="component.type === 2" :component="component" :message="message" />
    <ComponentSelect v-else-if="[3, 5, 6, 8].includes(component.type)" :component="component" :message="message" />
    <div v-else-if="component.type === 9" class="component-section">
      <div><MessageComponent v-for="(one, index) in component.components" :key="index" :component="one" :message="message" /></div>
      <MessageComponent v-if="component.accessory" :component="component.accessory" :message="message" />
    </div>
    <RichText v-else-if="component.type === 10" :source="component.content ?? ''" :users="message.mentions" />
    <section v-else-if="component.type === 17" class="component-container" :class="{ edged: edge }" :style="edge">
      <MessageComponent v-for="(one, index) in component.components" :key="index" :component="one" :message="message" />
    </section>`,
};
