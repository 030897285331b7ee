// The list that opens while a name, a channel, an emoji or a command is being typed.

import { computed, ref, shallowRef } from "vue";
import { choicesFor, triggerAt } from "../text/completion.js";

function wordKey(trigger) {
  return trigger ? `${trigger.kind}:${trigger.start}` : "";
}

export class Suggestions {
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
