// Reactions under a message; pressing one adds or takes back one's own.

import { inject } from "vue";
import { toggleReaction } from "../state/acts.js";

function signOf(emoji) {
  return emoji.id ? `:${emoji.name}:` : emoji.name;
}

export const ReactionBar = {
  name: "ReactionBar",
  props: { message: { type: Object, required: true } },
  setup(props) {
    const session = inject("session");
    return { signOf, toggle: (emoji) => toggleReaction(session, props.message, emoji) };
  },
  template: `
    <div class="reactions">
      <button v-for="one in message.reactions" :key="one.emoji.id ?? one.emoji.name" type="button" class="reaction"
        :aria-pressed="one.me" :aria-label="signOf(one.emoji) + ', ' + one.count" @click="toggle(one.emoji)">
        <span>{{ signOf(one.emoji) }}</span><b>{{ one.count }}</b>
      </button>
    </div>`,
};
