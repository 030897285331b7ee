// Who is typing where. A sign of typing holds for ten seconds, or until the message arrives.

import { shallowReactive } from "vue";

const HOLDS_MS = 10_000;

export class Typists {
  constructor() {
    this.byChannel = shallowReactive(new Map());
  }

  started(channelId, userId) {
    const before = this.byChannel.get(channelId) ?? new Map();
    clearTimeout(before.get(userId));
    const timer = setTimeout(() => this.stopped(channelId, userId), HOLDS_MS);
    this.byChannel.set(channelId, new Map(before).set(userId, timer));
  }

  stopped(channelId, userId) {
    const before = this.byChannel.get(channelId);
    if (!before?.has(userId)) return;
    clearTimeout(before.get(userId));
    const after = new Map(before);
    after.delete(userId);
    this.byChannel.set(channelId, after);
  }

  in(channelId) {
    return [...(this.byChannel.get(channelId)?.keys() ?? [])];
  }

  clear() {
    for (const timers of this.byChannel.values()) for (const timer of timers.values()) clearTimeout(timer);
    this.byChannel.clear();
  }
}
