// A small grid of emoji to react with.

import { EMOJI } from "../text/emoji.js";
import { Popup } from "./popup.js";

export const EmojiPicker = {
  name: "EmojiPicker",
  components: { Popup },
  props: { anchor: { type: Object, required: true } },
  emits: ["pick", "close"],
  setup: () => ({ EMOJI }),
  template: `
    <Popup :anchor="anchor" label="Choose an emoji" prefer="above" @close="$emit('close')">
      <div class="emoji-grid">
        <button v-for="emoji in EMOJI" :key="emoji.name" type="button" role="menuitem" :aria-label="emoji.name"
          :title="':' + emoji.name + ':'" @click="$emit('pick', emoji.sign)">{{ emoji.sign }}</button>
      </div>
    </Popup>`,
};
