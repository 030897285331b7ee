// What is being typed at the caret, and what could complete it: members, channels, emoji and commands.

import { compareIds } from "../protocol/snowflake.js";
import { displayName } from "../state/guilds.js";
import { EMOJI } from "./emoji.js";
import { writtenName } from "./mentions.js";

const SHOWN = 8;
const CHAT_INPUT = 1;
const SUBCOMMAND = 1;
const SUBCOMMAND_GROUP = 2;
const WORD_BEFORE = /(?:^|[\s([{"'«])([@#:])([^\n@#:]{0,32})$/u;

// A command stands at the very start; names may hold spaces, so a mention runs until its sign.
export function triggerAt(text, caret, { commands }) {
  const before = text.slice(0, caret);
  if (commands && /^\/[^\n]{0,64}$/.test(before) && text.slice(caret).trim() === "") {
    return { kind: "command", query: before.slice(1), start: 0, end: caret };
  }
  const match = WORD_BEFORE.exec(before);
  if (!match) return null;
  const [, sign, query] = match;
  const start = caret - query.length - 1;
  if (sign === ":") return /^\w{2,}$/.test(query) ? { kind: "emoji", query, start, end: caret } : null;
  return { kind: sign === "@" ? "member" : "channel", query, start, end: caret };
}

// Prefix matches first, then matches at the start of a word, then anywhere.
function rank(name, query) {
  const text = name.toLowerCase();
  if (text.startsWith(query)) return 0;
  if (text.split(/[\s_-]+/).some((word) => word.startsWith(query))) return 1;
  return text.includes(query) ? 2 : -1;
}

function best(items, query, namesOf) {
  const wanted = query.toLowerCase();
  const ranked = [];
  for (const item of items) {
    const ranks = namesOf(item).map((name) => rank(name, wanted)).filter((one) => one >= 0);
    if (ranks.length > 0) ranked.push({ item, rank: Math.min(...ranks) });
  }
  return ranked.sort((a, b) => a.rank - b.rank).slice(0, SHOWN).map((one) => one.item);
}

function memberChoices(query, guild) {
  const members = best([...guild.members.values()], query, (one) => [displayName(one.user, one), one.user.username]);
  const roles = best([...guild.roles.values()].filter((one) => one.id !== guild.id), query, (one) => [one.name]);
  const people = members.map((member) => ({
    key: member.user.id,
    user: member.user,
    label: displayName(member.user, member),
    detail: member.user.username,
    insert: `@${writtenName(guild, member)} `,
  }));
  const groups = roles.map((role) => ({ key: role.id, label: `@${role.name}`, detail: "role", insert: `@${role.name} ` }));
  return [...people, ...groups].slice(0, SHOWN);
}

function channelChoices(query, session, guild) {
  const visible = session.guilds.outline(guild).flatMap((section) => section.entries.map((one) => one.channel));
  return best(visible, query, (one) => [one.name]).map((one) => ({
    key: one.id,
    label: `#${one.name}`,
    detail: one.topic ?? "",
    insert: `#${one.name} `,
  }));
}

function emojiChoices(query) {
  return best(EMOJI, query, (one) => [one.name]).map((one) => ({
    key: one.name,
    label: `${one.sign} :${one.name}:`,
    detail: "",
    insert: `${one.sign} `,
  }));
}

// Every command that can be run, subcommands spelled out: one entry with its path and its own options.
function runnable(commands) {
  const entries = [];
  const walk = (command, node, path) => {
    const inner = (node.options ?? []).filter((one) => one.type === SUBCOMMAND || one.type === SUBCOMMAND_GROUP);
    if (inner.length === 0) entries.push({ command, path, description: node.description ?? "", options: node.options ?? [] });
    else for (const one of inner) walk(command, one, [...path, one]);
  };
  for (const command of commands) if ((command.type ?? CHAT_INPUT) === CHAT_INPUT) walk(command, command, [command]);
  return entries;
}

export function commandName(entry) {
  return entry.path.map((part) => part.name).join(" ");
}

function commandChoices(query, session, guild) {
  const entries = runnable(session.commands.get(guild.id) ?? []);
  const sorted = entries.sort((a, b) => commandName(a).localeCompare(commandName(b)) || compareIds(a.command.id, b.command.id));
  return best(sorted, query.trimEnd(), (one) => [commandName(one)]).map((entry) => ({
    key: `${entry.command.id}:${commandName(entry)}`,
    label: `/${commandName(entry)}`,
    hints: entry.options.map((one) => ({ name: one.name, required: Boolean(one.required) })),
    detail: entry.description,
    entry,
  }));
}

export function choicesFor(trigger, session) {
  const guild = session.guild.value;
  if (trigger.kind === "emoji") return emojiChoices(trigger.query);
  if (!guild) return [];
  if (trigger.kind === "member") return memberChoices(trigger.query, guild);
  if (trigger.kind === "channel") return channelChoices(trigger.query, session, guild);
  return commandChoices(trigger.query, session, guild);
}
