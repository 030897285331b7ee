// The inline half of the chat's markdown: text in, a tree of plain objects out. Nothing here makes HTML.

const DEEPEST = 12;
const SPANS = [
  ["***", "strong-emphasis"],
  ["**", "strong"],
  ["__", "underline"],
  ["~~", "strike"],
  ["||", "spoiler"],
  ["*", "emphasis"],
  ["_", "emphasis"],
];
const SPECIAL = /[\\`*_~|<[@h]/;
const WORD = /[\p{L}\p{N}]/u;
const ANGLED = /^<(?:(@!?|@&|#)(\d{1,20})|t:(-?\d{1,13})(?::([tTdDfFR]))?|a?:(\w{1,32}):\d{1,20}|\/([^:>\n]{1,100}):\d{1,20}|(https?:\/\/[^\s<>]+))>/;
const BARE = /^https?:\/\/[^\s<>[\]]+/;
const MASKED = /^\[((?:\\.|[^\]\\\n]){1,512})\]\((<)?(https?:\/\/[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)(?:>)?(?:\s+"[^"\n]*")?\)/;
const MENTION_KINDS = { "@": "user", "@!": "user", "@&": "role", "#": "channel" };

export function safeUrl(address) {
  try {
    const url = new URL(address);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}

function angled(rest) {
  const match = ANGLED.exec(rest);
  if (!match) return null;
  const [whole, sign, id, seconds, style, emoji, command, address] = match;
  const length = whole.length;
  if (sign) return { node: { type: "mention", kind: MENTION_KINDS[sign], id }, length };
  if (seconds) return { node: { type: "time", seconds: Number(seconds), style: style ?? "f" }, length };
  if (emoji) return { node: { type: "text", text: `:${emoji}:` }, length };
  if (command) return { node: { type: "command", text: `/${command}` }, length };
  const url = safeUrl(address);
  return url ? { node: { type: "link", url, children: [{ type: "text", text: address }] }, length } : null;
}

// Punctuation after an address belongs to the sentence; a closing bracket only if none was opened inside.
function trimmed(address) {
  let text = address.replace(/[.,;:!?'"»”*_~|]+$/, "");
  while (text.endsWith(")") && text.split(")").length > text.split("(").length) text = text.slice(0, -1);
  return text;
}

function bare(rest) {
  const match = BARE.exec(rest);
  const text = match && trimmed(match[0]);
  const url = text && safeUrl(text);
  return url ? { node: { type: "link", url, children: [{ type: "text", text }] }, length: text.length } : null;
}

// A label that itself looks like an address could lie about where it leads: then the source is shown as it is.
function masked(rest, depth) {
  const match = MASKED.exec(rest);
  const url = match && safeUrl(match[3]);
  if (!url || /https?:\/\/|www\.|\w\.(?:com|org|net|io|gg)\b/i.test(match[1])) return null;
  return { node: { type: "link", url, children: parseInline(match[1], depth + 1) }, length: match[0].length };
}

function code(rest) {
  const fence = /^`+/.exec(rest)[0];
  if (fence.length > 2) return null;
  const end = rest.indexOf(fence, fence.length);
  if (end <= fence.length) return null;
  const text = rest.slice(fence.length, end);
  return { node: { type: "code", text }, length: end + fence.length };
}

function closing(rest, mark, from) {
  for (let at = rest.indexOf(mark, from); at !== -1; at = rest.indexOf(mark, at + 1)) {
    if (rest[at - 1] === "\\") continue;
    const single = mark.length === 1;
    // A lone star is not half of a pair of stars.
    if (single && (rest[at + 1] === mark || rest[at - 1] === mark)) continue;
    if (mark === "_" && WORD.test(rest[at + 1] ?? "")) continue;
    return at;
  }
  return -1;
}

function span(rest, before, depth) {
  for (const [mark, type] of SPANS) {
    if (!rest.startsWith(mark)) continue;
    if (mark === "_" && WORD.test(before)) continue;
    const end = closing(rest, mark, mark.length + 1);
    const inner = rest.slice(mark.length, end);
    if (end === -1 || !inner.trim()) continue;
    if (mark !== "||" && /^\s/.test(inner) && mark.length === 1) continue;
    const children = parseInline(inner, depth + 1);
    const node = type === "strong-emphasis" ? { type: "strong", children: [{ type: "emphasis", children }] } : { type, children };
    return { node, length: end + mark.length };
  }
  return null;
}

function tokenAt(text, at, depth) {
  const rest = text.slice(at);
  const sign = rest[0];
  if (sign === "\\" && /^\\[^\p{L}\p{N}\s]/u.test(rest)) return { node: { type: "text", text: rest[1] }, length: 2 };
  if (sign === "`") return code(rest);
  if (sign === "<") return angled(rest);
  if (sign === "[") return masked(rest, depth);
  if (sign === "h") return WORD.test(text[at - 1] ?? "") ? null : bare(rest);
  if (sign === "@") {
    const all = /^@(everyone|here)\b/.exec(rest);
    return all ? { node: { type: "mention", kind: "everyone", id: all[1] }, length: all[0].length } : null;
  }
  return span(rest, text[at - 1] ?? "", depth);
}

export function parseInline(text, depth = 0) {
  if (depth > DEEPEST) return [{ type: "text", text }];
  const nodes = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const token = SPECIAL.test(text[at]) ? tokenAt(text, at, depth) : null;
    if (!token) {
      plain += text[at];
      at += 1;
      continue;
    }
    if (plain) nodes.push({ type: "text", text: plain });
    plain = "";
    nodes.push(token.node);
    at += token.length;
  }
  if (plain) nodes.push({ type: "text", text: plain });
  return nodes;
}
