// Short sentences to the person in front of the page: what went wrong, or what just happened.

import { shallowReactive } from "vue";

const SHOWN_MS = 7_000;
let nextId = 1;

export const notices = shallowReactive([]);

export function notify(text, kind = "error") {
  const notice = { id: nextId++, text, kind };
  notices.push(notice);
  setTimeout(() => dismiss(notice.id), SHOWN_MS);
}

export function dismiss(id) {
  const at = notices.findIndex((one) => one.id === id);
  if (at >= 0) notices.splice(at, 1);
}
