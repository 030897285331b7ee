// A growing text field with completion, used by the composer and by the editor of a message.

import { inject, nextTick, ref, useId, watch } from "vue";
import { Avatar } from "./avatar.js";
import { Suggestions } from "./suggestions.js";

function grow(box) {
  if (!box) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight}px`;
}

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
    const suggestions = new Suggestions(session, props);
    const { open, choices, chosen, at } = suggestions;

    function onInput(event) {
      emit("update:modelValue", event.target.value);
      suggestions.look(area.value);
    }

    async function pick(choice) {
      const { start, end } = suggestions.take();
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

    function onKey(event) {
      if (event.isComposing) return;
      if (open.value && suggestions.steer(event, pick)) {
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

    watch(() => props.modelValue, () => nextTick(() => grow(area.value)), { immediate: true });
    expose({ focusEnd });
    const look = () => suggestions.look(area.value);
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
