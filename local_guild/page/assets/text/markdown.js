// The block half of the chat's markdown: code blocks, quotes, headings and lists around inline text.

import { parseInline } from "./markdown_inline.js";
import { written } from "./times.js";

const FENCE = /```(?:([\w+#.-]{1,20})\n)?\n?([\s\S]*?)\n?```/g;
const LIST_ITEM = /^(\s*)(?:([-*])|(\d{1,9})\.)\s+(.*)$/;
const HEADING = /^(#{1,3})\s+(.+)$/;
const SUBTEXT = /^-#\s+(.+)$/;

function listFrom(lines, start) {
  const first = LIST_ITEM.exec(lines[start]);
  const ordered = first[3] !== undefined;
  const list = { type: "list", ordered, start: Number(first[3] ?? 1), items: [] };
  const indent = first[1].length;
  let at = start;
  while (at < lines.length) {
    const match = LIST_ITEM.exec(lines[at]);
    if (!match || match[1].length < indent) break;
    if (match[1].length > indent && list.items.length > 0) {
      const inner = listFrom(lines, at);
      list.items.at(-1).push(inner.list);
      at = inner.next;
      continue;
    }
    if ((match[3] !== undefined) !== ordered) break;
    list.items.push(parseInline(match[4]));
    at += 1;
  }
  return { list, next: at };
}

function quoteFrom(lines, start, deep) {
  if (lines[start].startsWith(">>> ")) {
    const inner = [lines[start].slice(4), ...lines.slice(start + 1)];
    return { children: blocksOf(inner, deep + 1), next: lines.length };
  }
  const inner = [];
  let at = start;
  while (at < lines.length && /^>(?: |$)/.test(lines[at])) {
    inner.push(lines[at].slice(2));
    at += 1;
  }
  return { children: blocksOf(inner, deep + 1), next: at };
}

// One block that starts at this line, or null for ordinary text.
function blockAt(lines, at, deep) {
  const line = lines[at];
  if (deep < 4 && (/^>(?: |$)/.test(line) || line.startsWith(">>> "))) {
    const { children, next } = quoteFrom(lines, at, deep);
    return { node: { type: "quote", children }, next };
  }
  const heading = HEADING.exec(line);
  if (heading) {
    return { node: { type: "heading", level: heading[1].length, children: parseInline(heading[2]) }, next: at + 1 };
  }
  const small = SUBTEXT.exec(line);
  if (small) return { node: { type: "subtext", children: parseInline(small[1]) }, next: at + 1 };
  if (LIST_ITEM.test(line)) {
    const { list, next } = listFrom(lines, at);
    return { node: list, next };
  }
  return null;
}

function blocksOf(lines, deep = 0) {
  const nodes = [];
  let text = [];
  const flush = () => {
    const joined = text.join("\n");
    if (joined.trim()) nodes.push({ type: "paragraph", children: parseInline(joined) });
    text = [];
  };
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at, deep);
    if (!block) {
      text.push(lines[at]);
      at += 1;
      continue;
    }
    flush();
    nodes.push(block.node);
    at = block.next;
  }
  flush();
  return nodes;
}

export function parseMarkdown(source) {
  const nodes = [];
  let from = 0;
  const plain = (text) => nodes.push(...blocksOf(text.replace(/^\n|\n$/g, "").split("\n")));
  for (const match of source.matchAll(FENCE)) {
    if (match[2].trim() === "") continue;
    if (match.index > from) plain(source.slice(from, match.index));
    nodes.push({ type: "code-block", language: match[1] ?? "", text: match[2] });
    from = match.index + match[0].length;
  }
  if (from < source.length) plain(source.slice(from));
  return nodes;
}

function wordsOf(node) {
  if (node.type === "spoiler") return "▮▮▮";
  if (node.type === "time") return written(node.seconds, node.style) ?? "";
  if (node.text !== undefined) return node.text;
  if (node.type === "list") return node.items.map((item) => item.map(wordsOf).join("")).join(", ");
  return (node.children ?? []).map(wordsOf).join("");
}

// The words alone, for a quote of one line. Spoilers stay covered.
export function plainText(source) {
  return parseMarkdown(source).map(wordsOf).join(" ").replace(/\s+/g, " ").trim();
}
