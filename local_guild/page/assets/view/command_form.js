// A command being filled in: its options as labelled fields, the required ones first.

import { computed, inject, nextTick, onMounted, reactive, ref, shallowReactive } from "vue";
import { attempt } from "../state/acts.js";
import { commandName } from "../text/completion.js";
import { CommandOption } from "./command_option.js";
import { Icon } from "./icon.js";

const SUBCOMMAND = 1;
const INTEGER = 4;
const BOOLEAN = 5;
const NUMBER = 10;

function typed(option, value) {
  if (option.type === INTEGER || option.type === NUMBER) return Number(value);
  if (option.type === BOOLEAN) return value === "true" || value === true;
  return value;
}

// The options of the innermost subcommand, wrapped again in the groups that lead to it.
function nested(path, leaf) {
  return path.slice(1).reduceRight((inner, part) => [{ type: part.type ?? SUBCOMMAND, name: part.name, options: inner }], leaf);
}

export const CommandForm = {
  name: "CommandForm",
  components: { CommandOption, Icon },
  props: { entry: { type: Object, required: true } },
  emits: ["close"],
  setup(props, { emit }) {
    const session = inject("session");
    const form = ref(null);
    const values = shallowReactive({});
    const sending = ref(false);
    const ordered = computed(() => [...props.entry.options].sort((a, b) => Number(b.required ?? 0) - Number(a.required ?? 0)));
    const added = reactive(new Set());
    const shown = computed(() => ordered.value.filter((one) => one.required || added.has(one.name)));
    const hidden = computed(() => ordered.value.filter((one) => !one.required && !added.has(one.name)));
    const name = computed(() => commandName(props.entry));

    const given = () => ordered.value.filter((one) => values[one.name] !== undefined && values[one.name] !== "");

    function filled() {
      return given().map((one) => ({ type: one.type, name: one.name, value: typed(one, values[one.name]) }));
    }

    function data(focused) {
      const options = filled().map((one) => (one.name === focused?.name ? { ...one, focused: true } : one));
      // The option being completed is sent even while it is still empty.
      if (focused && !options.some((one) => one.focused)) {
        options.push({ type: focused.type, name: focused.name, value: "", focused: true });
      }
      return { options: nested(props.entry.path, options) };
    }

    const suggest = (option) => session.interactions.suggest(props.entry.command, session.state.channelId, data(option));

    async function submit() {
      if (sending.value || !form.value.reportValidity()) return;
      sending.value = true;
      const done = await attempt(() => session.interactions.run(props.entry.command, session.state.channelId, data(null)));
      sending.value = false;
      if (done) emit("close");
    }

    function focusLast() {
      nextTick(() => [...form.value.querySelectorAll("input, select")].at(-1)?.focus());
    }

    function add(option) {
      added.add(option.name);
      focusLast();
    }

    onMounted(() => (form.value.querySelector("input, select") ?? form.value.querySelector("[type=submit]"))?.focus());
    return { form, values, sending, shown, hidden, name, suggest, submit, add };
  },
  template: `
    <form ref="form" class="command-form" :aria-label="'Command ' + name" @submit.prevent="submit" @keydown.esc.stop="$emit('close')">
      <p class="command-head"><b>/{{ name }}</b><span class="muted"><bdi>{{ entry.description }}</bdi></span>
        <button type="button" class="icon-button" aria-label="Leave the command" @click="$emit('close')"><Icon name="close" /></button></p>
      <div class="command-fields">
        <CommandOption v-for="option in shown" :key="option.name" v-model="values[option.name]" :option="option" :suggest="suggest" />
        <button v-for="option in hidden" :key="option.name" type="button" class="option-add" :title="option.description"
          @click="add(option)">+ {{ option.name }}</button>
        <button type="submit" class="button button-primary" :disabled="sending">Send<Icon name="send" /></button>
      </div>
    </form>`,
};
