// What the person must know about the page itself: the connection, and notices that pass.

import { inject } from "vue";
import { dismiss, notices } from "../state/notices.js";
import { Icon } from "./icon.js";

export const ConnectionBar = {
  name: "ConnectionBar",
  setup: () => ({ session: inject("session"), reload: () => location.reload() }),
  template: `
    <p v-if="session.state.status === 'lost'" class="bar" role="alert">Connection lost. Reconnecting; what you write is kept.</p>
    <p v-else-if="session.state.status === 'refused'" class="bar" role="alert">The server no longer knows this member.
      <button type="button" class="text-button" @click="reload">Reload the page</button></p>`,
};

export const NoticeList = {
  name: "NoticeList",
  components: { Icon },
  setup: () => ({ notices, dismiss }),
  template: `
    <div class="notices" role="status" aria-live="polite">
      <p v-for="notice in notices" :key="notice.id" class="notice" :class="'notice-' + notice.kind"><span>{{ notice.text }}</span>
        <button type="button" class="icon-button" aria-label="Dismiss" @click="dismiss(notice.id)"><Icon name="close" /></button></p>
    </div>`,
};
