// Mentions as people write them (@Ada, #tavern) and as the wire carries them (<@1>, <#2>).

import { displayName } from "../state/guilds.js";

const CODE = /```[\s\S]*?```|`[^`\n]+`/g;
const WORD = /[\p{L}\p{N}_]/u;

// The shortest text that names exactly this member; a display name shared by two gives way to the username.
export function writtenName(guild, member) {
  const shown = displayName(member.user, member);
  const sharing = [...guild.members.values()].filter((one) => displayName(one.user, one) === shown);
  return sharing.length > 1 ? member.user.username : shown;
}

function memberNames(guild) {
  const names = new Map();
  for (const member of guild.members.values()) names.set(member.user.username.toLowerCase(), `<@${member.user.id}>`);
  for (const member of guild.members.values()) {
    names.set(writtenName(guild, member).toLowerCase(), `<@${member.user.id}>`);
  }
  for (const role of guild.roles.values()) {
    if (role.id !== guild.id && !names.has(role.name.toLowerCase())) names.set(role.name.toLowerCase(), `<@&${role.id}>`);
  }
  return names;
}

function channelNames(guild) {
  return new Map([...guild.channels.values()].map((one) => [one.name.toLowerCase(), `<#${one.id}>`]));
}

// The longest name that stands at this position and is not the beginning of a longer word.
function nameAt(text, start, names, longest) {
  for (let length = Math.min(longest, text.length - start); length > 0; length -= 1) {
    const found = names.get(text.slice(start, start + length).toLowerCase());
    const next = text.charAt(start + length);
    if (found && !(next && WORD.test(next))) return { wire: found, length };
  }
  return null;
}

function replaceNames(text, signs) {
  let result = "";
  for (let at = 0; at < text.length; ) {
    const sign = signs[text[at]];
    const before = at > 0 ? text[at - 1] : "";
    const found = sign && !WORD.test(before) && before !== "<" ? nameAt(text, at + 1, sign.names, sign.longest) : null;
    result += found ? found.wire : text[at];
    at += found ? found.length + 1 : 1;
  }
  return result;
}

function sign(names) {
  return { names, longest: Math.max(0, ...[...names.keys()].map((name) => name.length)) };
}

export function toWire(text, guild) {
  if (!guild) return text;
  const signs = { "@": sign(memberNames(guild)), "#": sign(channelNames(guild)) };
  let result = "";
  let from = 0;
  for (const code of text.matchAll(CODE)) {
    result += replaceNames(text.slice(from, code.index), signs) + code[0];
    from = code.index + code[0].length;
  }
  return result + replaceNames(text.slice(from), signs);
}

export function fromWire(text, guild) {
  if (!guild) return text;
  return text.replace(/<(@!?|@&|#)(\d+)>/g, (whole, kind, id) => {
    if (kind === "#") return guild.channels.has(id) ? `#${guild.channels.get(id).name}` : whole;
    if (kind === "@&") return guild.roles.has(id) ? `@${guild.roles.get(id).name}` : whole;
    return guild.members.has(id) ? `@${writtenName(guild, guild.members.get(id))}` : whole;
  });
}

// What a message says, be it in its content or in the texts of its layout.
export function wordsOf(message) {
  const texts = (one) =>
    one.type === 10 ? [one.content] : [...(one.components ?? []), ...(one.accessory ? [one.accessory] : [])].flatMap(texts);
  return message.content || (message.components ?? []).flatMap(texts).join("\n");
}
