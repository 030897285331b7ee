// A growing text field with completion, used by the composer and by the editor of a message.

import { computed, inject, nextTick, ref, shallowRef, useId, watch } from "vue";
import { choicesFor, triggerAt } from "../text/completion.js";
import { Avatar } from "./avatar.js";

export const TextBox = {
  name: "TextBox",
  components: { Avatar },
  props: {
    modelValue: { type: String, required: true },
    label: { type: String, required: true },
    placeholder: String,
    disabled: Boolean,
    commands: Boolean,
  },
  emits: ["update:modelValue", "submit", "cancel", "recall", "command", "files"],
  setup(props, { emit, expose }) {
    const session = inject("session");
    const area = ref(null);
    const listId = useId();
    const trigger = shallowRef(null);
    const at = ref(0);
    // A list put away with Esc stays away until its word is left.
    const putAway = ref("");
    const choices = computed(() => (trigger.value ? choicesFor(trigger.value, session) : []));
    const wordKey = (one) => (one ? `${one.kind}:${one.start}` : "");
    const open = computed(() => choices.value.length > 0 && wordKey(trigger.value) !== putAway.value);
    const chosen = computed(() => choices.value[Math.min(at.value, choices.value.length - 1)]);

    function look() {
      const box = area.value;
      const found = box.selectionStart === box.selectionEnd ? triggerAt(box.value, box.selectionStart, props) : null;
      if (found?.kind === "command" && trigger.value?.kind !== "command" && session.guild.value) {
        void session.refreshCommands(session.guild.value.id);
      }
      if (found?.query !== trigger.value?.query) at.value = 0;
      if (wordKey(found) !== putAway.value) putAway.value = "";
      trigger.value = found;
    }

    function grow() {
      const box = area.value;
      if (!box) return;
      box.style.height = "auto";
      box.style.height = `${box.scrollHeight}px`;
    }

    function onInput(event) {
      emit("update:modelValue", event.target.value);
      look();
    }

    async function pick(choice) {
      const { start, end } = trigger.value;
      trigger.value = null;
      if (choice.entry) {
        emit("command", choice.entry);
        return;
      }
      const text = props.modelValue;
      emit("update:modelValue", text.slice(0, start) + choice.insert + text.slice(end).replace(/^ /, ""));
      await nextTick();
      area.value.focus();
      area.value.setSelectionRange(start + choice.insert.length, start + choice.insert.length);
    }

    // Returns whether the key belonged to the open list.
    function steer(event) {
      const count = choices.value.length;
      if (event.key === "ArrowDown") at.value = (at.value + 1) % count;
      else if (event.key === "ArrowUp") at.value = (at.value - 1 + count) % count;
      else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) void pick(chosen.value);
      else if (event.key === "Escape") putAway.value = wordKey(trigger.value);
      else return false;
      return true;
    }

    function onKey(event) {
      if (event.isComposing) return;
      if (open.value && steer(event)) {
        event.preventDefault();
        event.stopPropagation();
        return;
      }
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        emit("submit");
      } else if (event.key === "Escape") emit("cancel");
      else if (event.key === "ArrowUp" && !props.modelValue) {
        event.preventDefault();
        emit("recall");
      }
    }

    function onPaste(event) {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length > 0) emit("files", files);
    }

    function focusEnd() {
      area.value?.focus();
      area.value?.setSelectionRange(area.value.value.length, area.value.value.length);
    }

    watch(() => props.modelValue, () => nextTick(grow), { immediate: true });
    expose({ focusEnd });
    return { area, listId, open, choices, chosen, at, onInput, onKey, onPaste, look, pick };
  },
  template: `
    <div class="text-box">
      <ul v-if="open" :id="listId" class="completion" role="listbox" aria-label="Suggestions">
        <li v-for="(choice, index) in choices" :key="choice.key" :id="listId + index" role="option"
          :aria-selected="choice === chosen" @mousemove="at = index" @mousedown.prevent="pick(choice)">
          <Avatar v-if="choice.user" :id="choice.user.id" :name="choice.label" :bot="choice.user.bot" />
          <bdi class="completion-label">{{ choice.label }}</bdi>
          <span v-for="hint in choice.hints" :key="hint.name" class="option-hint" :class="{ optional: !hint.required }">{{ hint.name }}</span>
          <span class="completion-detail"><bdi>{{ choice.detail }}</bdi></span>
        </li>
      </ul>
      <textarea ref="area" rows="1" :value="modelValue" :aria-label="label" :placeholder="placeholder" :disabled="disabled"
        dir="auto" role="combobox" aria-autocomplete="list" aria-haspopup="listbox" :aria-expanded="open" :aria-controls="open ? listId : null"
        :aria-activedescendant="open ? listId + choices.indexOf(chosen) : null" autocomplete="off" spellcheck="true"
        @input="onInput" @keydown="onKey" @click="look" @keyup.left="look" @keyup.right="look" @paste="onPaste"></textarea>
    </div>`,
};
