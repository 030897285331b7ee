// The page's signs, drawn here as strokes on a 24 by 24 field.

import { h } from "vue";

const STROKES = {
  hash: "M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  thread: "M5 4v9a4 4 0 0 0 4 4h10M15 13l4 4-4 4",
  letter: "M4 6h16v12H4zM4 7l8 6 8-6",
  menu: "M4 6h16M4 12h16M4 18h16",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c0-4 3-6 6.5-6s6.5 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.5c2.5.7 4 2.6 4 5.5",
  help: "M9 9a3 3 0 1 1 4.5 2.600c-1 .6-1.5 1.2-1.5 2.400M12 17.500v.5M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20Z",
  sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2v2.500M12 19.500V22M2 12h2.500M19.5 12H22M5 5l1.7 1.700M17.3 17.3 19 19M19 5l-1.7 1.700M6.7 17.3 5 19",
  moon: "M20 14.500A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.500Z",
  half: "M12 3a9 9 0 1 0 0 18V3ZM12 3a9 9 0 0 1 0 18",
  reply: "M9 6 4 11l5 5M4 11h9a7 7 0 0 1 7 7v1",
  edit: "M4 20l1-4L16.5 4.500l3 3L8 19l-4 1ZM14 7l3 3",
  trash: "M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13M10 11v5M14 11v5",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  smile: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 14c1 1.7 2.4 2.5 4 2.500s3-.8 4-2.500M9 9.500h.01M15 9.500h.01",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.700l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.700l1-1",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  close: "M6 6l12 12M18 6 6 18",
  down: "M12 5v14M6 13l6 6 6-6",
  chevron: "M7 10l5 5 5-5",
  send: "M4 12 20 4l-5 16-3.5-6.500L4 12ZM11.5 13.5 20 4",
  clip: "M19 11.5 12 18.500a4.5 4.5 0 0 1-6.4-6.400L13 4.800a3 3 0 0 1 4.2 4.200l-7.3 7.300a1.5 1.5 0 0 1-2.1-2.100L14 8",
  play: "M8 5v14l11-7z",
  window: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  app: "M13 3 5 14h6l-1 7 8-11h-6l1-7Z",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z",
  panel: "M4 4h16v16H4zM4 9h16M9 9v11",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v5M16 3v5",
  pin: "M9 3h6l-1 7 4 3v2H6v-2l4-3-1-7ZM12 15v6",
  check: "M5 12.5 10 17.5 19 7",
};

export const Icon = {
  name: "ChatIcon",
  props: { name: { type: String, required: true } },
  setup: (props) => () =>
    h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, [
      h("path", { d: STROKES[props.name] }),
    ]),
};
