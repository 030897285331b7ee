// What the host framework mounts; the chat itself is loaded from addresses that change with its content.

import { defineAsyncComponent, h } from "vue";

export default {
  props: {
    assets: { type: String, required: true },
    home: { type: String, required: true },
    panel: { type: String, default: "" },
  },
  setup(props) {
    const Chat = defineAsyncComponent(() => import(`${props.assets}/chat.js`));
    return () => h(Chat, { home: props.home, panel: props.panel });
  },
};
