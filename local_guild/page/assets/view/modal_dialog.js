// A form that the bot asks to be filled in.

import { computed, inject, reactive, ref } from "vue";
import { attempt } from "../state/acts.js";
import { DialogFrame } from "./dialog_frame.js";
import { MenuSelect } from "./menu_select.js";
import { RichText } from "./rich_text.js";

const TEXT_INPUT = 4;
const TEXT_DISPLAY = 10;
const LABEL = 18;
const LONG_TEXT = 2;

// Two shapes hold a field: the older action row, and the newer label around one component.
function fieldsOf(components) {
  return components.flatMap((outer) => {
    if (outer.type === TEXT_DISPLAY) return [{ text: outer.content }];
    const inner = outer.type === LABEL ? outer.component : outer.components?.[0];
    if (!inner) return [];
    return [{ inner, label: outer.label ?? inner.label ?? inner.placeholder ?? "", hint: outer.description ?? "" }];
  });
}

function answer({ inner }, values) {
  const value = values[inner.custom_id];
  const filled = { type: inner.type, custom_id: inner.custom_id };
  return inner.type === TEXT_INPUT ? { ...filled, value: value ?? "" } : { ...filled, values: value ?? [] };
}

export const ModalDialog = {
  name: "ModalDialog",
  components: { DialogFrame, MenuSelect, RichText },
  props: { modal: { type: Object, required: true } },
  setup(props) {
    const session = inject("session");
    const fields = computed(() => fieldsOf(props.modal.components ?? []));
    const values = reactive({});
    for (const { inner } of fields.value) if (inner?.value) values[inner.custom_id] = inner.value;
    const sending = ref(false);
    const close = () => (session.state.modal = null);
    async function submit() {
      sending.value = true;
      const components = fields.value.filter((one) => one.inner).map((one) => answer(one, values));
      const done = await attempt(() => session.interactions.submitModal(props.modal, components));
      sending.value = false;
      if (done) close();
    }
    return { fields, values, sending, close, submit, TEXT_INPUT, LONG_TEXT };
  },
  template: `
    <DialogFrame :title="modal.title" @close="close">
      <form @submit.prevent="submit">
        <template v-for="(field, index) in fields" :key="index">
          <RichText v-if="field.text" :source="field.text" />
          <label v-else class="modal-field">
            <span><bdi>{{ field.label }}</bdi><span v-if="field.inner.required ?? true" aria-hidden="true"> *</span></span>
            <small v-if="field.hint" class="muted"><bdi>{{ field.hint }}</bdi></small>
            <template v-if="field.inner.type === TEXT_INPUT">
              <textarea v-if="field.inner.style === LONG_TEXT" v-model="values[field.inner.custom_id]" class="field" rows="5"
                :required="field.inner.required ?? true" :minlength="field.inner.min_length" :maxlength="field.inner.max_length ?? 4000"
                :placeholder="field.inner.placeholder"></textarea>
              <input v-else v-model="values[field.inner.custom_id]" class="field" type="text" :required="field.inner.required ?? true"
                :minlength="field.inner.min_length" :maxlength="field.inner.max_length ?? 4000" :placeholder="field.inner.placeholder" />
            </template>
            <MenuSelect v-else :component="field.inner" @choose="values[field.inner.custom_id] = $event" />
          </label>
        </template>
        <div class="dialog-buttons">
          <button type="button" class="button button-secondary" @click="close">Cancel</button>
          <button type="submit" class="button button-primary" :disabled="sending">Submit</button>
        </div>
      </form>
    </DialogFrame>`,
};
