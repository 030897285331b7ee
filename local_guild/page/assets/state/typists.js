// Who is typing where. A sign of typing holds for ten seconds, or until the message arrives.

import { shallowReactive } from "vue";

const HOLDS_MS = 10_000;

export class Typists {
  // "channel:user" → the timer that ends the sign.
  #timers = shallowReactive(new Map());

  started(channelId, userId) {
    this.stopped(channelId, userId);
    this.#timers.set(`${channelId}:${userId}`, setTimeout(() => this.stopped(channelId, userId), HOLDS_MS));
  }

  stopped(channelId, userId) {
    clearTimeout(this.#timers.get(`${channelId}:${userId}`));
    this.#timers.delete(`${channelId}:${userId}`);
  }

  in(channelId) {
    return [...this.#timers.keys()].map((key) => key.split(":")).filter(([place]) => place === channelId).map(([, user]) => user);
  }
}
