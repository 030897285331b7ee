// What the member is in the middle of: a reply, an edit, a question to confirm, a card that is open.

import { reactive, shallowReactive, shallowRef } from "vue";
import { recall, remember } from "./remembered.js";

export class Desk {
  constructor(memberId) {
    this.draftKey = `drafts:${memberId}`;
    this.drafts = reactive(recall(this.draftKey, {}));
    this.replies = shallowReactive(new Map());
    this.command = shallowReactive(new Map());
    this.editing = shallowRef("");
    this.confirmation = shallowRef(null);
    this.profile = shallowRef(null);
    this.drawer = shallowRef(false);
    this.events = shallowRef(false);
    this.members = shallowRef(recall("members-shown", innerWidth >= 1200));
    this.strip = shallowRef(!recall("strip-dismissed", false));
    // Bumped to move the keyboard focus into the composer from anywhere.
    this.composerCalls = shallowRef(0);
  }

  setDraft(channelId, text) {
    if (text) this.drafts[channelId] = text;
    else delete this.drafts[channelId];
    remember(this.draftKey, this.drafts);
  }

  insert(channelId, text) {
    const before = this.drafts[channelId] ?? "";
    this.setDraft(channelId, before && !/\s$/.test(before) ? `${before} ${text}` : before + text);
    this.callComposer();
  }

  reply(message) {
    this.replies.set(message.channel_id, message);
    this.callComposer();
  }

  callComposer() {
    this.composerCalls.value += 1;
  }

  showProfile(user, anchor) {
    this.profile.value = { user, anchor };
  }

  // Resolves to whether the person agreed.
  confirm(question) {
    return new Promise((resolve) => {
      this.confirmation.value = {
        ...question,
        settle: (agreed) => {
          this.confirmation.value = null;
          resolve(agreed);
        },
      };
    });
  }

  toggleMembers() {
    this.members.value = !this.members.value;
    remember("members-shown", this.members.value);
  }

  showStrip(shown) {
    this.strip.value = shown;
    remember("strip-dismissed", !shown);
  }
}
