// The scrolling log of one channel: keeps its place while rows come and go, and follows only at the bottom.

import { computed, inject, onBeforeUnmount, onMounted, ref, watch } from "vue";
import { isNewer, timeOf } from "../protocol/snowflake.js";
import { isSystem } from "../text/system_messages.js";
import { day, sameDay } from "../text/times.js";
import { Icon } from "./icon.js";
import { LogReader } from "./log_reader.js";
import { MessageRow } from "./message_row.js";

const GROUP_MS = 7 * 60 * 1000;

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
    const reader = new LogReader(session, () => scroller.value);
    const { timeline, messages, keeper, active, flashed, away, unseen } = reader;
    const rows = computed(() => arrange(messages.value, session.readBefore(session.state.channelId), session.member.id));

    function onKey(event) {
      if (event.target !== scroller.value && !event.target.matches?.("article")) return;
      if (event.key === "ArrowUp") void reader.step(-1);
      else if (event.key === "ArrowDown") void reader.step(1);
      else if (event.key === "End") void reader.toPresent();
      else if (event.key === "Escape") desk.callComposer();
      else return;
      event.preventDefault();
    }

    // One listener for all rows: with one of its own, each row would be drawn again whenever another comes or is pointed at.
    function point(event) {
      const row = event.target.closest("[data-message]");
      if (row) active.value = row.dataset.message;
    }

    function enter() {
      desk.editing.value = "";
      void reader.enter();
    }

    watch(rows, () => keeper.measure(timeline.value.atBottom), { flush: "pre" });
    watch(rows, () => { keeper.restore(); reader.scrolled(); }, { flush: "post" });
    watch(() => session.state.visits, () => reader.readAgain());
    watch(() => session.state.channelId, enter, { flush: "post" });
    watch(() => session.state.jump, (target) => target && target.channelId === session.state.channelId && enter());
    const observer = new ResizeObserver(() => timeline.value.atBottom && keeper.toBottom());
    const onVisibility = () => reader.noticeVisibility();
    onMounted(() => {
      observer.observe(scroller.value);
      observer.observe(content.value);
      document.addEventListener("visibilitychange", onVisibility);
      enter();
    });
    onBeforeUnmount(() => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", onVisibility);
    });
    return { session, scroller, content, reader, timeline, rows, active, flashed, away, unseen, onKey, point };
  },
  template: `
    <div class="log-frame">
      <div ref="scroller" class="log" role="log" tabindex="0" :aria-busy="timeline.loading.value !== ''"
        :aria-label="'Messages in ' + session.title.value" @scroll.passive="reader.scrolled()" @keydown="onKey"
        @mouseleave="active = ''">
        <div ref="content" class="log-content" @mouseover="point" @focusin="point" @click="point">
          <div v-if="timeline.loading.value === 'first'" class="log-note">Loading messages …</div>
          <div v-else-if="timeline.failure.value" class="log-note" role="alert">{{ timeline.failure.value }}
            <button type="button" class="text-button" @click="reader.retry()">Try again</button></div>
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
              @jump="(id) => reader.jump(id)" @dismiss="(id) => timeline.remove([id])" />
          </template>
        </div>
      </div>
      <button v-if="unseen > 0" type="button" class="pill pill-new" @click="reader.toPresent()">
        {{ unseen }} new {{ unseen === 1 ? 'message' : 'messages' }}<Icon name="down" /></button>
      <button v-else-if="away" type="button" class="pill" @click="reader.toPresent()">Jump to the present<Icon name="down" /></button>
    </div>`,
};
