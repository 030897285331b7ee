// A growing text field with completion, used by the composer and by the editor of a message.

import { computed, inject, nextTick, ref, shallowRef, useId, watch } from "vue";
import { choicesFor, triggerAt } from "../text/completion.js";
import { Avatar } from "./avatar.js";

function wordKey(trigger) {
  return trigger ? `${trigger.kind}:${trigger.start}` : "";
}

class Suggestions {
  at = ref(0);
  #trigger = shallowRef(null);
  // A list put away with Esc stays away until its word is left.
  #putAway = ref("");

  constructor(session, options) {
    this.session = session;
    this.options = options;
    this.choices = computed(() => (this.#trigger.value ? choicesFor(this.#trigger.value, session) : []));
    this.open = computed(() => this.choices.value.length > 0 && wordKey(this.#trigger.value) !== this.#putAway.value);
    this.chosen = computed(() => this.choices.value[Math.min(this.at.value, this.choices.value.length - 1)]);
  }

  // What stands before the caret now.
  look(box) {
    const typing = box.selectionStart === box.selectionEnd;
    const found = typing ? triggerAt(box.value, box.selectionStart, this.options) : null;
    const guild = this.session.guild.value;
    // Commands may have been registered since the guild was entered.
    if (found?.kind === "command" && this.#trigger.value?.kind !== "command" && guild) {
      void this.session.refreshCommands(guild.id);
    }
    if (found?.query !== this.#trigger.value?.query) this.at.value = 0;
    if (wordKey(found) !== this.#putAway.value) this.#putAway.value = "";
    this.#trigger.value = found;
  }

  // Where the chosen text goes; the list is done with.
  take() {
    const place = this.#trigger.value;
    this.#trigger.value = null;
    return place;
  }

  // Returns whether the key belonged to the open list.
  steer(event, pick) {
    const count = this.choices.value.length;
    if (event.key === "ArrowDown") this.at.value = (this.at.value + 1) % count;
    else if (event.key === "ArrowUp") this.at.value = (this.at.value - 1 + count) % count;
    else if (event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) void pick(this.chosen.value);
    else if (event.key === "Escape") this.#putAway.value = wordKey(this.#trigger.value);
    else return false;
    return true;
  }
}

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
