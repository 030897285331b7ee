// How far this member has read in each channel, remembered by the browser.

import { reactive } from "vue";
import { isNewer } from "../protocol/snowflake.js";
import { recall, remember } from "./remembered.js";

// Older than any message: everything in a channel that was empty when we met it is new.
const BEFORE_ALL = "0";

export class ReadMarks {
  constructor(memberId) {
    this.key = `read:${memberId}`;
    this.marks = reactive(recall(this.key, {}));
    this.mentions = reactive({});
  }

  // A channel never seen in this browser counts as read up to now: a first visit is not one wall of bold names.
  meet(channels) {
    for (const channel of channels) this.marks[channel.id] ??= channel.last_message_id ?? BEFORE_ALL;
    this.#save();
  }

  isUnread(channel) {
    const mark = this.marks[channel.id];
    return Boolean(channel.last_message_id && (!mark || isNewer(channel.last_message_id, mark)));
  }

  markRead(channelId, messageId) {
    delete this.mentions[channelId];
    if (!messageId || (this.marks[channelId] && !isNewer(messageId, this.marks[channelId]))) return;
    this.marks[channelId] = messageId;
    this.#save();
  }

  noteMention(channelId) {
    this.mentions[channelId] = (this.mentions[channelId] ?? 0) + 1;
  }

  #save() {
    remember(this.key, this.marks);
  }
}
