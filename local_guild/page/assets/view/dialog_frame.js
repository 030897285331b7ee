// The browser's own modal dialog: it traps the focus, closes on Esc and gives the focus back.

import { onBeforeUnmount, onMounted, ref, useId } from "vue";
import { RichText } from "./rich_text.js";

export const DialogFrame = {
  name: "DialogFrame",
  props: { title: { type: String, required: true } },
  emits: ["close"],
  setup() {
    const dialog = ref(null);
    const id = useId();
    onMounted(() => dialog.value.showModal());
    // Taken off the page while open, it would keep the focus that it owes.
    onBeforeUnmount(() => dialog.value.close());
    return { dialog, id };
  },
  template: `
    <dialog ref="dialog" class="dialog" :aria-labelledby="id" @cancel.prevent="$emit('close')"
      @click="$event.target === dialog && $emit('close')">
      <div class="dialog-inner"><h2 :id="id"><bdi>{{ title }}</bdi></h2><slot /></div>
    </dialog>`,
};

// A question before something that cannot be taken back.
export const ConfirmDialog = {
  name: "ConfirmDialog",
  components: { DialogFrame, RichText },
  props: { question: { type: Object, required: true } },
  template: `
    <DialogFrame :title="question.title" @close="question.settle(false)">
      <p>{{ question.text }}</p>
      <div v-if="question.message?.content" class="quoted"><RichText :source="question.message.content" :users="question.message.mentions" /></div>
      <div class="dialog-buttons">
        <button type="button" class="button button-secondary" @click="question.settle(false)">Cancel</button>
        <button type="button" class="button button-danger" autofocus @click="question.settle(true)">{{ question.action }}</button>
      </div>
    </DialogFrame>`,
};
