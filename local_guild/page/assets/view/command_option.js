// One option of a command: a field that fits its type, with suggestions where there are any.

import { computed, inject, ref, useId } from "vue";
import { channelsOf, peopleOf, rolesOf } from "../text/nameable.js";

const TYPE = { TEXT: 3, INTEGER: 4, BOOLEAN: 5, USER: 6, CHANNEL: 7, ROLE: 8, NUMBER: 10 };
const SUGGEST_AFTER_MS = 200;
const SHOWN = 25;

// What the option can be when it names something of the guild; null when it is free text.
function known(option, session) {
  const guild = session.guild.value;
  if (option.choices?.length) return option.choices;
  if (option.type === TYPE.BOOLEAN) return [{ name: "Yes", value: "true" }, { name: "No", value: "false" }];
  if (!guild) return null;
  const named = { [TYPE.USER]: peopleOf, [TYPE.ROLE]: rolesOf, [TYPE.CHANNEL]: channelsOf }[option.type];
  return named ? named(guild, session, option.channel_types).map((one) => ({ name: one.label, value: one.value })) : null;
}

function fitting(choices, text) {
  const wanted = text.toLowerCase().replace(/^[@#]/, "");
  return choices.filter((one) => one.name.toLowerCase().includes(wanted));
}

export const CommandOption = {
  name: "CommandOption",
  props: { modelValue: [String, Number, Boolean], option: { type: Object, required: true }, suggest: { type: Function, required: true } },
  emits: ["update:modelValue"],
  setup(props, { emit }) {
    const session = inject("session");
    const id = useId();
    const text = ref("");
    const open = ref(false);
    const at = ref(0);
    const suggested = ref([]);
    let timer = 0;
    const fixed = computed(() => known(props.option, session));
    const numeric = computed(() => props.option.type === TYPE.INTEGER || props.option.type === TYPE.NUMBER);
    const choices = computed(() => (fixed.value ? fitting(fixed.value, text.value) : suggested.value).slice(0, SHOWN));

    function ask() {
      clearTimeout(timer);
      if (!props.option.autocomplete) return;
      timer = setTimeout(async () => {
        suggested.value = await props.suggest(props.option).catch(() => []);
        at.value = 0;
      }, SUGGEST_AFTER_MS);
    }

    function onInput(event) {
      text.value = event.target.value;
      open.value = true;
      at.value = 0;
      const exact = fixed.value?.find((one) => one.name.toLowerCase() === text.value.toLowerCase());
      emit("update:modelValue", fixed.value ? (exact?.value ?? "") : text.value);
      // A field that names something must end in one of its choices; the browser then says what is missing.
      event.target.setCustomValidity(fixed.value && text.value && !exact ? "Choose one from the list." : "");
      ask();
    }

    function pick(choice, input) {
      text.value = String(choice.name);
      open.value = false;
      emit("update:modelValue", choice.value);
      input.setCustomValidity("");
    }

    function onKey(event) {
      if (!open.value || choices.value.length === 0) return;
      const count = choices.value.length;
      if (event.key === "ArrowDown") at.value = (at.value + 1) % count;
      else if (event.key === "ArrowUp") at.value = (at.value - 1 + count) % count;
      else if (event.key === "Escape") open.value = false;
      else if ((event.key === "Enter" || event.key === "Tab") && (fixed.value || event.key === "Tab" || text.value === "")) {
        pick(choices.value[at.value], event.target);
        if (event.key === "Tab") return;
      } else return;
      event.preventDefault();
      event.stopPropagation();
    }

    function onFocus() {
      open.value = true;
      ask();
    }
    return { id, text, open, at, choices, numeric, fixed, onInput, onKey, onFocus, pick, TYPE };
  },
  template: `
    <div class="option">
      <label :for="id">{{ option.name }}<span v-if="option.required" aria-hidden="true"> *</span></label>
      <ul v-if="open && choices.length" :id="id + 'list'" class="completion" role="listbox" :aria-label="'Choices for ' + option.name">
        <li v-for="(choice, index) in choices" :key="String(choice.value)" :id="id + 'item' + index" role="option"
          :aria-selected="index === at" @mousemove="at = index" @mousedown.prevent="pick(choice, $refs.input)"><bdi>{{ choice.name }}</bdi></li>
      </ul>
      <input :id="id" ref="input" :value="fixed ? text : (modelValue ?? '')" :required="option.required" :aria-describedby="id + 'hint'"
        :type="numeric && !option.autocomplete && !fixed ? 'number' : 'text'" :step="option.type === TYPE.NUMBER ? 'any' : null"
        :min="option.min_value" :max="option.max_value" :minlength="option.min_length" :maxlength="option.max_length"
        role="combobox" :aria-expanded="open && choices.length > 0" :aria-controls="id + 'list'" aria-autocomplete="list" autocomplete="off"
        :aria-activedescendant="open && choices.length ? id + 'item' + at : null"
        @input="onInput" @keydown="onKey" @focus="onFocus" @click="open = true" @blur="open = false" />
      <small :id="id + 'hint'"><bdi>{{ option.description }}</bdi></small>
    </div>`,
};
