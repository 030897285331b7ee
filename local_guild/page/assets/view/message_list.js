// The scrolling log of one channel: keeps its place while rows come and go, and follows only at the bottom.

import { computed, inject, nextTick, onBeforeUnmount, onMounted, ref, shallowRef, watch } from "vue";
import { isNewer, timeOf } from "../protocol/snowflake.js";
import { notify } from "../state/notices.js";
import { isSystem } from "../text/system_messages.js";
import { day, sameDay } from "../text/times.js";
import { Icon } from "./icon.js";
import { MessageRow } from "./message_row.js";
import { Placekeeper } from "./placekeeper.js";

const GROUP_MS = 7 * 60 * 1000;
const FLASH_MS = 1_800;

function continuesFrom(before, message) {
  return (
    before.author.id === message.author.id &&
    !message.message_reference &&
    !message.interaction_metadata &&
    !isSystem(before) &&
    !isSystem(message) &&
    (before.flags & 64) === (message.flags & 64) &&
    timeOf(message.id) - timeOf(before.id) < GROUP_MS
  );
}

function arrange(messages, readBefore, memberId) {
  let before = null;
  let lineDrawn = false;
  return messages.map((message) => {
    const time = timeOf(message.id);
    const newDay = !before || !sameDay(timeOf(before.id), time);
    const unread = !lineDrawn && readBefore && isNewer(message.id, readBefore) && message.author.id !== memberId;
    if (unread) lineDrawn = true;
    const row = {
      message,
      divider: newDay ? day(time) : "",
      unread,
      continues: !newDay && !unread && Boolean(before) && continuesFrom(before, message),
    };
    before = message;
    return row;
  });
}

export const MessageList = {
  name: "MessageList",
  components: { Icon, MessageRow },
  setup() {
    const session = inject("session");
    const desk = inject("desk");
    const scroller = ref(null);
    const content = ref(null);
    const active = shallowRef("");
    const flashed = shallowRef("");
    const away = ref(false);
    const seenNewest = shallowRef("");
    const timeline = computed(() => session.timeline(session.state.channelId));
    const messages = computed(() => timeline.value.rows.value);
    const rows = computed(() => arrange(messages.value, session.readBefore(session.state.channelId), session.member.id));
    const unseen = computed(() => {
      if (!away.value || !seenNewest.value) return timeline.value.missed.value;
      return messages.value.filter((one) => isNewer(one.id, seenNewest.value)).length + timeline.value.missed.value;
    });
    const keeper = new Placekeeper(() => scroller.value);

    function noticePosition() {
      const bottom = keeper.isAtBottom() && !timeline.value.hasNewer.value;
      timeline.value.atBottom = bottom;
      away.value = !bottom;
      if (!bottom || messages.value.length === 0) return;
      seenNewest.value = messages.value.at(-1).id;
      if (document.visibilityState === "visible") session.markRead(session.state.channelId);
    }

    function onVisibility() {
      const newest = messages.value.at(-1)?.id;
      if (document.visibilityState === "visible") noticePosition();
      else if (newest && !away.value) session.lookAway(session.state.channelId, newest);
    }

    function onScroll() {
      noticePosition();
      // After a failure nothing is tried again by itself: the note at the top offers it.
      if (!timeline.value.opened || timeline.value.failure.value) return;
      if (keeper.isNearTop()) void timeline.value.loadOlder();
      else if (keeper.isNearBottom()) void timeline.value.loadNewer();
    }

    function retry() {
      void (timeline.value.opened ? timeline.value.loadOlder() : timeline.value.open());
    }

    // A new session may have missed edits and deletions: what is in view is read again, where it stands.
    function readAgain() {
      if (!timeline.value.opened) return;
      const inView = keeper.firstInView();
      if (timeline.value.atBottom || !inView) void timeline.value.open();
      else void timeline.value.openAround(inView.id);
    }

    async function toPresent() {
      if (timeline.value.hasNewer.value) await timeline.value.open();
      await nextTick();
      keeper.toBottom();
      noticePosition();
    }

    function flash(id) {
      flashed.value = id;
      setTimeout(() => flashed.value === id && (flashed.value = ""), FLASH_MS);
    }

    async function jump(id) {
      if (!timeline.value.find(id) && !(await timeline.value.openAround(id))) {
        notify("That message is gone.", "info");
        await toPresent();
        return;
      }
      await nextTick();
      keeper.toRow(id);
      flash(id);
      onScroll();
    }

    async function enter() {
      const target = session.state.jump;
      active.value = "";
      desk.editing.value = "";
      const line = timeline.value;
      if (target) session.state.jump = null;
      if (target) {
        await jump(target.messageId);
        return;
      }
      if (!line.opened) await line.open();
      if (line !== timeline.value) return;
      await nextTick();
      keeper.toBottom();
      onScroll();
    }

    function step(direction) {
      const ids = messages.value.map((one) => one.id);
      const at = ids.indexOf(active.value);
      const to = at === -1 ? ids.length - 1 : Math.max(0, Math.min(ids.length - 1, at + direction));
      active.value = ids[to] ?? "";
      nextTick(() => keeper.row(active.value)?.focus());
    }

    function onKey(event) {
      if (event.target !== scroller.value && !event.target.matches?.("article")) return;
      if (event.key === "ArrowUp") step(-1);
      else if (event.key === "ArrowDown") step(1);
      else if (event.key === "End") void toPresent();
      else if (event.key === "Escape") desk.callComposer();
      else return;
      event.preventDefault();
    }

    watch(rows, () => keeper.measure(timeline.value.atBottom), { flush: "pre" });
    watch(rows, () => { keeper.restore(); onScroll(); }, { flush: "post" });
    watch(() => session.state.visits, readAgain);
    watch(() => session.state.channelId, enter, { flush: "post" });
    watch(() => session.state.jump, (target) => target && target.channelId === session.state.channelId && enter());
    const observer = new ResizeObserver(() => timeline.value.atBottom && keeper.toBottom());
    onMounted(() => {
      observer.observe(scroller.value);
      observer.observe(content.value);
      document.addEventListener("visibilitychange", onVisibility);
      void enter();
    });
    onBeforeUnmount(() => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", onVisibility);
    });
    const dismiss = (id) => timeline.value.remove([id]);
    return {
      session, scroller, content, timeline, rows, active, flashed, away, unseen,
      onScroll, onKey, retry, toPresent, jump, dismiss,
    };
  },
  template: `
    <div class="log-frame">
      <div ref="scroller" class="log" role="log" tabindex="0" :aria-busy="timeline.loading.value !== ''"
        :aria-label="'Messages in ' + session.title.value" @scroll.passive="onScroll" @keydown="onKey"
        @mouseleave="active = ''">
        <div ref="content" class="log-content">
          <div v-if="timeline.loading.value === 'first'" class="log-note">Loading messages …</div>
          <div v-else-if="timeline.failure.value" class="log-note" role="alert">{{ timeline.failure.value }}
            <button type="button" class="text-button" @click="retry">Try again</button></div>
          <div v-else-if="timeline.hasOlder.value" class="log-note">Loading older messages …</div>
          <div v-else class="log-start">
            <h2><bdi>{{ session.guild.value ? '#' : '' }}{{ session.title.value }}</bdi></h2>
            <p>This is where the conversation begins. <bdi>{{ session.channel.value?.topic }}</bdi></p>
          </div>
          <template v-for="row in rows" :key="row.message.id">
            <div v-if="row.divider" class="divider" role="separator"><span>{{ row.divider }}</span></div>
            <div v-if="row.unread" class="divider divider-new" role="separator"><span>New</span></div>
            <MessageRow :message="row.message" :continues="row.continues" :active="active === row.message.id"
              :flashed="flashed === row.message.id" :tabindex="active === row.message.id ? 0 : -1"
              @mouseenter="active = row.message.id" @focusin="active = row.message.id" @click="active = row.message.id"
              @jump="jump" @dismiss="dismiss" />
          </template>
        </div>
      </div>
      <button v-if="unseen > 0" type="button" class="pill pill-new" @click="toPresent">
        {{ unseen }} new {{ unseen === 1 ? 'message' : 'messages' }}<Icon name="down" /></button>
      <button v-else-if="away" type="button" class="pill" @click="toPresent">Jump to the present<Icon name="down" /></button>
    </div>`,
};
