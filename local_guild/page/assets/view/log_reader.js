// A reader of one channel's log: where they are in it, what they have missed, and getting from here to there.

import { computed, nextTick, ref, shallowRef } from "vue";
import { isNewer } from "../protocol/snowflake.js";
import { notify } from "../state/notices.js";

const BOTTOM_SLACK = 48;
const LOOK_AHEAD = 900;

// Keeps a scrolling log where the reader left it while rows are added above, below or taken away.
class Placekeeper {
  #stick = true;
  #anchor = null;

  constructor(scroller) {
    this.scroller = scroller;
  }

  row(id) {
    return id ? this.scroller()?.querySelector(`[data-message="${id}"]`) : null;
  }

  #toEnd() {
    const box = this.scroller();
    return box ? box.scrollHeight - box.scrollTop - box.clientHeight : 0;
  }

  isAtBottom() {
    return this.#toEnd() <= BOTTOM_SLACK;
  }

  isNearBottom() {
    return this.#toEnd() < LOOK_AHEAD;
  }

  isNearTop() {
    return (this.scroller()?.scrollTop ?? Infinity) < LOOK_AHEAD;
  }

  toBottom() {
    const box = this.scroller();
    if (box) box.scrollTop = box.scrollHeight;
  }

  toRow(id) {
    this.row(id)?.scrollIntoView({ block: "center" });
  }

  // The first row in view and where it stands.
  firstInView() {
    const box = this.scroller();
    if (!box) return null;
    const edge = box.getBoundingClientRect().top;
    for (const row of box.querySelectorAll("[data-message]")) {
      const place = row.getBoundingClientRect();
      if (place.bottom > edge) return { id: row.dataset.message, top: place.top };
    }
    return null;
  }

  // Before a change: note what the reader looks at.
  measure(stick) {
    this.#stick = stick;
    this.#anchor = stick ? null : this.firstInView();
  }

  // After it: the same row back to the same distance.
  restore() {
    if (this.#stick) {
      this.toBottom();
      return;
    }
    const row = this.row(this.#anchor?.id);
    if (row) this.scroller().scrollTop += row.getBoundingClientRect().top - this.#anchor.top;
  }
}

const FLASH_MS = 1_800;

export class LogReader {
  // The row under the pointer or the keyboard, and the one just jumped to.
  active = shallowRef("");
  flashed = shallowRef("");
  away = ref(false);
  #seenNewest = shallowRef("");

  constructor(session, scroller) {
    this.session = session;
    this.keeper = new Placekeeper(scroller);
    this.timeline = computed(() => session.timeline(session.state.channelId));
    this.messages = computed(() => this.timeline.value.rows.value);
    this.unseen = computed(() => {
      const missed = this.timeline.value.missed.value;
      if (!this.away.value || !this.#seenNewest.value) return missed;
      return missed + this.messages.value.filter((one) => isNewer(one.id, this.#seenNewest.value)).length;
    });
  }

  noticePosition() {
    const bottom = this.keeper.isAtBottom() && !this.timeline.value.hasNewer.value;
    this.timeline.value.atBottom = bottom;
    this.away.value = !bottom;
    if (!bottom || this.messages.value.length === 0) return;
    this.#seenNewest.value = this.messages.value.at(-1).id;
    if (document.visibilityState === "visible") this.session.markRead(this.session.state.channelId);
  }

  noticeVisibility() {
    const newest = this.messages.value.at(-1)?.id;
    if (document.visibilityState === "visible") this.noticePosition();
    else if (newest && !this.away.value) this.session.lookAway(this.session.state.channelId, newest);
  }

  scrolled() {
    this.noticePosition();
    const timeline = this.timeline.value;
    // After a failure nothing is tried again by itself: the note at the top offers it.
    if (!timeline.opened || timeline.failure.value) return;
    if (this.keeper.isNearTop()) void timeline.loadOlder();
    else if (this.keeper.isNearBottom()) void timeline.loadNewer();
  }

  retry() {
    void (this.timeline.value.opened ? this.timeline.value.loadOlder() : this.timeline.value.open());
  }

  // A new session may have missed edits and deletions: what is in view is read again, where it stands.
  async readAgain() {
    const timeline = this.timeline.value;
    if (!timeline.opened) return;
    const inView = this.keeper.firstInView();
    if (timeline.atBottom || !inView) await timeline.open();
    else if (await timeline.openAround(inView.id)) {
      await nextTick();
      this.keeper.toRow(inView.id);
    }
  }

  async toPresent() {
    if (this.timeline.value.hasNewer.value) await this.timeline.value.open();
    await nextTick();
    this.keeper.toBottom();
    this.noticePosition();
  }

  async jump(id) {
    if (!this.timeline.value.find(id) && !(await this.timeline.value.openAround(id))) {
      notify("That message is gone.", "info");
      await this.toPresent();
      return;
    }
    await nextTick();
    this.keeper.toRow(id);
    this.flashed.value = id;
    setTimeout(() => this.flashed.value === id && (this.flashed.value = ""), FLASH_MS);
    this.scrolled();
  }

  async enter() {
    const target = this.session.state.jump;
    const timeline = this.timeline.value;
    this.active.value = "";
    if (target) {
      this.session.state.jump = null;
      await this.jump(target.messageId);
      return;
    }
    if (!timeline.opened) await timeline.open();
    if (timeline !== this.timeline.value) return;
    await nextTick();
    this.keeper.toBottom();
    this.scrolled();
  }

  async step(direction) {
    const ids = this.messages.value.map((one) => one.id);
    const at = ids.indexOf(this.active.value);
    const to = at === -1 ? ids.length - 1 : Math.max(0, Math.min(ids.length - 1, at + direction));
    this.active.value = ids[to] ?? "";
    await nextTick();
    this.keeper.row(this.active.value)?.focus();
  }
}
