// A question before something that cannot be taken back.

import { DialogFrame } from "./dialog_frame.js";
import { RichText } from "./rich_text.js";

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
