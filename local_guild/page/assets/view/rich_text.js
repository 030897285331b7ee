// Markdown on the screen. Everything goes through virtual nodes: no text of a message is ever read as HTML.

import { computed, h, inject, ref } from "vue";
import { placeOfLink } from "../state/navigation.js";
import { notify } from "../state/notices.js";
import { parseMarkdown } from "../text/markdown.js";
import { full, written } from "../text/times.js";

const ONLY_EMOJI = /^(?:\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}]?(?:\u200D\p{Extended_Pictographic}|\uFE0F)*\s*){1,9}$/u;

const Spoiler = {
  setup(_, { slots }) {
    const open = ref(false);
    const reveal = () => (open.value = true);
    return () =>
      open.value
        ? h("span", { class: "spoiler spoiler-open" }, slots.default())
        : h("button", { type: "button", class: "spoiler", "aria-label": "Spoiler, show it", onClick: reveal }, [
            h("span", { "aria-hidden": "true" }, slots.default()),
          ]);
  },
};

const CodeBlock = {
  props: { text: String, language: String },
  setup: (props) => () =>
    h("pre", { class: "code-block", tabindex: "0", "aria-label": `Code${props.language ? `, ${props.language}` : ""}` }, [
      h("code", props.text),
    ]),
};

function follow(session, url, event) {
  const place = placeOfLink(url);
  if (!place) return;
  event.preventDefault();
  if (session.guilds.channel(place.channelId)) session.openChannel(place.channelId, place.messageId);
  else notify("You cannot see the channel that link leads to.", "info");
}

function link(node, draw, session) {
  const attributes = { href: node.url, title: node.url, rel: "noopener noreferrer nofollow", target: "_blank" };
  return h("a", { ...attributes, onClick: (event) => follow(session, node.url, event) }, draw(node.children));
}

function channelMention(id, session) {
  const channel = session.guilds.channel(id);
  if (!channel) return h("span", { class: "mention" }, "#no access");
  const open = () => session.openChannel(id);
  return h("button", { type: "button", class: "mention", onClick: open }, `#${channel.name}`);
}

function mention(node, session, desk, users) {
  const guild = session.guild.value;
  if (node.kind === "channel") return channelMention(node.id, session);
  if (node.kind === "everyone") return h("span", { class: "mention" }, `@${node.id}`);
  if (node.kind === "role") {
    return h("span", { class: "mention" }, `@${guild?.roles.get(node.id)?.name ?? "unknown role"}`);
  }
  const user = guild?.members.get(node.id)?.user ?? users.find((one) => one.id === node.id);
  const name = user ? session.nameOf(user) : "unknown member";
  const mine = node.id === session.member.id;
  const onClick = (event) => user && desk.showProfile(user, event.currentTarget);
  return h("button", { type: "button", class: ["mention", { "mention-me": mine }], onClick }, h("bdi", `@${name}`));
}

function time(node) {
  const text = written(node.seconds, node.style);
  if (text === null) return `<t:${node.seconds}>`;
  return h("time", { class: "inline-time", title: full(new Date(node.seconds * 1000)) }, text);
}

function list(node, draw) {
  const items = node.items.map((item) => h("li", draw(item)));
  return node.ordered ? h("ol", { start: node.start }, items) : h("ul", items);
}

function drawerFor(session, desk, users) {
  const tag = (name) => (node, draw) => h(name, draw(node.children));
  const kinds = {
    text: (node) => node.text,
    strong: tag("strong"),
    emphasis: tag("em"),
    underline: tag("u"),
    strike: tag("s"),
    code: (node) => h("code", { class: "code" }, node.text),
    spoiler: (node, draw) => h(Spoiler, () => draw(node.children)),
    link: (node, draw) => link(node, draw, session),
    mention: (node) => mention(node, session, desk, users()),
    command: (node) => h("span", { class: "mention" }, node.text),
    time,
    paragraph: (node, draw) => h("p", draw(node.children)),
    quote: (node, draw) => h("blockquote", draw(node.children)),
    heading: (node, draw) =>
      h("div", { class: `heading heading-${node.level}`, role: "heading", "aria-level": node.level + 2 }, draw(node.children)),
    subtext: (node, draw) => h("p", { class: "subtext" }, draw(node.children)),
    list,
    "code-block": (node) => h(CodeBlock, { text: node.text, language: node.language }),
  };
  const draw = (nodes) => nodes.map((node) => kinds[node.type](node, draw));
  return draw;
}

export const RichText = {
  name: "RichText",
  props: { source: { type: String, required: true }, users: { type: Array, default: () => [] }, editedAt: String },
  setup(props) {
    const draw = drawerFor(inject("session"), inject("desk"), () => props.users);
    const tree = computed(() => parseMarkdown(props.source));
    const jumbo = computed(() => ONLY_EMOJI.test(props.source.trim()));
    const edited = () => h("span", { class: "edited", title: `Edited ${full(new Date(props.editedAt))}` }, " (edited)");
    return () => {
      const nodes = draw(tree.value);
      if (props.editedAt) {
        const last = nodes.at(-1);
        if (last?.type === "p") nodes[nodes.length - 1] = h("p", last.props, [...last.children, edited()]);
        else nodes.push(edited());
      }
      return h("div", { class: ["rich", { jumbo: jumbo.value }], dir: "auto" }, nodes);
    };
  },
};
