// A window onto one channel's messages. However long the history, only this window is held and drawn:
// scrolling up loads older pages and lets go of the newest rows, scrolling down does the reverse.

import { ref, shallowRef } from "vue";
import { compareIds, isNewer } from "../protocol/snowflake.js";

const PAGE = 50;
const KEPT = 200;
const EPHEMERAL = 64;

export class Timeline {
  rows = shallowRef([]);
  hasOlder = ref(true);
  hasNewer = ref(false);
  loading = ref("");
  failure = ref("");
  // Arrived while the window was elsewhere, for the "new messages" pill.
  missed = ref(0);
  atBottom = true;

  #history = [];
  #ephemeral = new Map();
  #gone = new Set();
  #duringLoad = [];

  constructor(rest, channelId) {
    this.rest = rest;
    this.channelId = channelId;
    this.opened = false;
  }

  async open() {
    await this.#load("first", {}, (page) => {
      this.#history = page;
      this.hasOlder.value = page.length === PAGE;
      this.hasNewer.value = false;
      this.missed.value = 0;
    });
  }

  async openAround(messageId) {
    // The page that ends with this message, and the one after it.
    await this.#load("first", { before: String(BigInt(messageId) + 1n) }, (page) => {
      this.#history = page;
      this.hasOlder.value = page.length === PAGE;
      this.hasNewer.value = page.length > 0;
    });
    await this.loadNewer();
    return this.#history.some((one) => one.id === messageId);
  }

  async loadOlder() {
    if (!this.hasOlder.value || this.loading.value || this.#history.length === 0) return;
    await this.#load("older", { before: this.#history[0].id }, (page) => {
      this.#history = [...page, ...this.#history];
      this.hasOlder.value = page.length === PAGE;
      if (this.#history.length > KEPT) {
        this.#history = this.#history.slice(0, KEPT);
        this.hasNewer.value = true;
      }
    });
  }

  async loadNewer() {
    if (!this.hasNewer.value || this.loading.value || this.#history.length === 0) return;
    await this.#load("newer", { after: this.#history.at(-1).id }, (page) => {
      this.#history = [...this.#history, ...page];
      this.hasNewer.value = page.length === PAGE;
      if (!this.hasNewer.value) this.missed.value = 0;
      this.#letGoOfOldest();
    });
  }

  receive(message, { counted = false } = {}) {
    this.#alsoAfterLoad(() => this.receive(message, { counted: true }));
    if (message.flags & EPHEMERAL) {
      this.#ephemeral.set(message.id, message);
    } else if (this.hasNewer.value || (!this.atBottom && this.#history.length >= 2 * KEPT)) {
      this.hasNewer.value = true;
      if (!counted) this.missed.value += 1;
      return;
    } else {
      this.#insert(message);
      if (this.atBottom) this.#letGoOfOldest();
    }
    this.#publish();
  }

  change(id, alter) {
    this.#alsoAfterLoad(() => this.change(id, alter));
    this.#alterAll((one) => {
      if (one.id === id) return alter(one);
      // What answers it quotes it, and quotes what it says now.
      return one.referenced_message?.id === id ? { ...one, referenced_message: alter(one.referenced_message) } : one;
    });
    this.#publish();
  }

  remove(ids) {
    for (const id of ids) {
      this.#gone.add(id);
      this.#ephemeral.delete(id);
    }
    this.#history = this.#history.filter((one) => !this.#gone.has(one.id));
    this.#alterAll((one) => (this.#gone.has(one.referenced_message?.id) ? { ...one, referenced_message: null } : one));
    this.#publish();
  }

  find(id) {
    return this.rows.value.find((one) => one.id === id);
  }

  #alterAll(alter) {
    for (const [id, one] of this.#ephemeral) this.#ephemeral.set(id, alter(one));
    this.#history = this.#history.map(alter);
  }

  // Events that arrive while a page is on its way may be missing from that page: they are applied once more.
  #alsoAfterLoad(event) {
    if (this.loading.value) this.#duringLoad.push(event);
  }

  async #load(kind, query, adopt) {
    this.loading.value = kind;
    this.failure.value = "";
    try {
      const page = await this.rest.history(this.channelId, { limit: PAGE, ...query });
      page.sort((a, b) => compareIds(a.id, b.id));
      adopt(page.filter((one) => !this.#gone.has(one.id)));
      this.opened = true;
    } catch (reason) {
      this.failure.value = reason.message;
    } finally {
      this.loading.value = "";
    }
    const replay = this.#duringLoad.splice(0);
    for (const event of replay) event();
    this.#publish();
  }

  #insert(message) {
    if (this.#gone.has(message.id) || this.#belongsToOlderPage(message)) return;
    const at = this.#history.findIndex((one) => compareIds(one.id, message.id) >= 0);
    // One that is here already may have been edited since: the older telling must not replace it.
    if (at === -1) this.#history = [...this.#history, message];
    else if (this.#history[at].id !== message.id) this.#history = this.#history.toSpliced(at, 0, message);
  }

  // A message dated into the past comes with its page, or it would stand alone above a gap.
  #belongsToOlderPage(message) {
    return this.hasOlder.value && this.#history.length > 0 && isNewer(this.#history[0].id, message.id);
  }

  #letGoOfOldest() {
    if (this.#history.length <= KEPT) return;
    this.#history = this.#history.slice(-KEPT);
    this.hasOlder.value = true;
  }

  #publish() {
    const oldest = this.#history[0]?.id;
    const newest = this.#history.at(-1)?.id;
    const within = (one) =>
      (!this.hasOlder.value || !oldest || isNewer(one.id, oldest)) &&
      (!this.hasNewer.value || !newest || isNewer(newest, one.id));
    const shown = [...this.#ephemeral.values()].filter(within);
    const rows = shown.length === 0 ? this.#history : [...this.#history, ...shown];
    this.rows.value = shown.length === 0 ? rows : rows.sort((a, b) => compareIds(a.id, b.id));
  }
}

// What the gateway says of messages, applied to the window of the channel they belong to.

function sameEmoji(a, b) {
  return a.id ? a.id === b.id : a.name === b.name;
}

function withReaction(message, emoji, change, mine) {
  const reactions = [...(message.reactions ?? [])];
  const at = reactions.findIndex((one) => sameEmoji(one.emoji, emoji));
  const before = at >= 0 ? reactions[at] : { emoji, count: 0, me: false };
  const me = mine ? change > 0 : before.me;
  const after = { ...before, count: before.count + change, me };
  if (at >= 0) reactions[at] = after;
  else reactions.push(after);
  return { ...message, reactions: reactions.filter((one) => one.count > 0) };
}

const EVENTS = {
  MESSAGE_CREATE: (timeline, data) => timeline.receive(data),
  MESSAGE_UPDATE: (timeline, data) => timeline.change(data.id, (one) => ({ ...one, ...data })),
  MESSAGE_DELETE: (timeline, data) => timeline.remove([data.id]),
  MESSAGE_DELETE_BULK: (timeline, data) => timeline.remove(data.ids),
  MESSAGE_REACTION_ADD: (timeline, data, me) =>
    timeline.change(data.message_id, (one) => withReaction(one, data.emoji, 1, data.user_id === me)),
  MESSAGE_REACTION_REMOVE: (timeline, data, me) =>
    timeline.change(data.message_id, (one) => withReaction(one, data.emoji, -1, data.user_id === me)),
};

// Returns whether the event was about messages, whoever is looking at their channel or not.
export function applyMessageEvent(type, data, timeline, memberId) {
  const event = EVENTS[type];
  if (!event) return false;
  if (timeline) event(timeline, data, memberId);
  return true;
}
