// The browser's own modal dialog: it traps the focus, closes on Esc and gives the focus back.

import { onBeforeUnmount, onMounted, ref, useId } from "vue";

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
