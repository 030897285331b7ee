// What is being written in the channel one is in: its draft, its reply, its files, and the sending of it.

import { computed, shallowRef } from "vue";
import { PERMISSION } from "../protocol/permissions.js";
import { sendMessage } from "../state/acts.js";
import { isSystem } from "../text/system_messages.js";

export const LONGEST = 2000;
const TYPING_EVERY_MS = 8_000;
const MOST_FILES = 10;

export class Writing {
  files = shallowRef([]);
  #lastTyping = 0;
  #sending = Promise.resolve();

  constructor(session, desk) {
    this.session = session;
    this.desk = desk;
    this.channelId = computed(() => session.state.channelId);
    this.text = computed({
      get: () => desk.drafts[this.channelId.value] ?? "",
      set: (value) => {
        desk.setDraft(this.channelId.value, value);
        if (value && !value.startsWith("/")) this.#announceTyping();
      },
    });
    this.replyTo = computed(() => desk.replies.get(this.channelId.value) ?? null);
    this.command = computed(() => desk.command.get(this.channelId.value) ?? null);
    this.left = computed(() => LONGEST - [...this.text.value].length);
    this.mayWrite = computed(() => Boolean(session.channel.value) && session.maySendIn(session.channel.value));
    this.mayAttach = computed(() => session.may(PERMISSION.ATTACH_FILES));
  }

  submit() {
    const content = this.text.value.trim();
    const nothing = !content && this.files.value.length === 0;
    if (nothing || this.left.value < 0 || !this.mayWrite.value) return;
    const letter = { to: this.channelId.value, content, replyTo: this.replyTo.value, files: this.files.value };
    this.desk.setDraft(letter.to, "");
    this.desk.replies.delete(letter.to);
    this.files.value = [];
    this.#lastTyping = 0;
    // One after the other, so that quick lines keep their order.
    this.#sending = this.#sending.then(async () => {
      if (!(await sendMessage(this.session, letter.to, content, letter))) this.#putBack(letter);
    });
  }

  editLast() {
    const mine = (one) => one.author.id === this.session.member.id && !isSystem(one);
    const last = this.session.timeline(this.channelId.value).rows.value.findLast(mine);
    if (last) this.desk.editing.value = last.id;
  }

  chooseCommand(entry) {
    this.desk.setDraft(this.channelId.value, "");
    this.desk.command.set(this.channelId.value, entry);
  }

  leaveCommand() {
    this.desk.command.delete(this.channelId.value);
    this.desk.callComposer();
  }

  dropReply() {
    this.desk.replies.delete(this.channelId.value);
  }

  addFiles(list) {
    if (this.mayAttach.value) this.files.value = [...this.files.value, ...list].slice(0, MOST_FILES);
  }

  removeFile(file) {
    this.files.value = this.files.value.filter((one) => one !== file);
  }

  // What could not be sent goes back to where it was written, before anything written since.
  #putBack(letter) {
    const since = this.desk.drafts[letter.to];
    this.desk.setDraft(letter.to, since ? `${letter.content}\n${since}` : letter.content);
    if (letter.replyTo && !this.desk.replies.has(letter.to)) this.desk.replies.set(letter.to, letter.replyTo);
    if (this.channelId.value === letter.to && this.files.value.length === 0) this.files.value = letter.files;
  }

  #announceTyping() {
    const now = Date.now();
    if (now - this.#lastTyping < TYPING_EVERY_MS) return;
    this.#lastTyping = now;
    // A typing sign that gets lost is not worth a word.
    this.session.rest.typing(this.channelId.value).catch(() => {});
  }
}
