// Editing one's own message where it stands. Enter saves, Esc gives up; an empty text asks to delete.

import { inject, onMounted, ref } from "vue";
import { deleteMessage, editMessage } from "../state/acts.js";
import { fromWire } from "../text/mentions.js";
import { TextBox } from "./text_box.js";

export const MessageEditor = {
  name: "MessageEditor",
  components: { TextBox },
  props: { message: { type: Object, required: true } },
  setup(props) {
    const session = inject("session");
    const desk = inject("desk");
    const box = ref(null);
    const text = ref(fromWire(props.message.content, session.guild.value));
    onMounted(() => box.value.focusEnd());

    function leave() {
      desk.editing.value = "";
      desk.callComposer();
    }

    async function save() {
      const wanted = text.value.trim();
      if (!wanted) {
        leave();
        await deleteMessage(session, desk, props.message);
        return;
      }
      const unchanged = wanted === fromWire(props.message.content, session.guild.value);
      if (unchanged || (await editMessage(session, props.message, wanted))) leave();
    }
    return { box, text, save, leave };
  },
  template: `
    <div class="editor">
      <TextBox ref="box" v-model="text" label="Edit message" @submit="save" @cancel="leave" />
      <p class="hint">Esc to <button type="button" class="text-button" @click="leave">cancel</button> ·
        Enter to <button type="button" class="text-button" @click="save">save</button></p>
    </div>`,
};
