// The guilds as this member's gateway session has described them, kept up to date event by event.

import { shallowReactive } from "vue";
import { compareIds } from "../protocol/snowflake.js";
import { isThread, mayView } from "../protocol/permissions.js";

const CATEGORY = 4;
const FORUM = 15;
const TEXT_TYPES = new Set([0, 5, FORUM]);

function byId(items) {
  return shallowReactive(new Map((items ?? []).map((item) => [item.id, item])));
}

function memberMap(members) {
  return shallowReactive(new Map((members ?? []).map((member) => [member.user.id, member])));
}

export class Guilds {
  constructor(memberId) {
    this.memberId = memberId;
    this.all = shallowReactive(new Map());
    this.direct = shallowReactive(new Map());
  }

  // Returns whether the event was one about guilds, channels, roles or members.
  apply(type, data) {
    const handler = HANDLERS[type];
    if (!handler) return false;
    handler(this, data, this.all.get(data.guild_id));
    return true;
  }

  channel(id) {
    for (const guild of this.all.values()) {
      const found = guild.channels.get(id);
      if (found) return found;
    }
    return this.direct.get(id);
  }

  guildOf(channelId) {
    for (const guild of this.all.values()) if (guild.channels.has(channelId)) return guild;
    return null;
  }

  // What the list at the left shows: categories in order, each with its visible channels and their threads.
  outline(guild) {
    const visible = [...guild.channels.values()].filter((one) => mayView(guild, one, this.memberId));
    const ordered = visible
      .filter((one) => TEXT_TYPES.has(one.type))
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0) || compareIds(a.id, b.id));
    const entry = (channel) => ({ channel, threads: threadsUnder(visible, channel.id) });
    const categories = [...guild.channels.values()]
      .filter((one) => one.type === CATEGORY)
      .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
    const sections = categories.map((category) => ({
      category,
      entries: ordered.filter((one) => one.parent_id === category.id).map(entry),
    }));
    const known = new Set(categories.map((one) => one.id));
    const loose = ordered.filter((one) => !known.has(one.parent_id)).map(entry);
    return [{ category: null, entries: loose }, ...sections].filter((section) => section.entries.length > 0);
  }

  firstChannel(guild) {
    return this.outline(guild)[0]?.entries[0]?.channel ?? null;
  }

  noteMessage(channelId, messageId) {
    const channel = this.channel(channelId);
    if (!channel || (channel.last_message_id && compareIds(channel.last_message_id, messageId) >= 0)) return;
    const home = this.guildOf(channelId)?.channels ?? this.direct;
    home.set(channelId, { ...channel, last_message_id: messageId });
  }

  userName(guild, userId) {
    const member = guild?.members.get(userId);
    return member ? displayName(member.user, member) : null;
  }
}

export function isForum(channel) {
  return channel?.type === FORUM;
}

export function displayName(user, member) {
  return member?.nick || user?.global_name || user?.username || "someone";
}

// The highest coloured role paints the name, as people know it.
export function nameColour(guild, userId) {
  const ids = guild?.members.get(userId)?.roles ?? [];
  const coloured = ids.map((id) => guild.roles.get(id)).filter((role) => role?.color);
  coloured.sort((a, b) => (b.position ?? 0) - (a.position ?? 0));
  return coloured.length > 0 ? `#${coloured[0].color.toString(16).padStart(6, "0")}` : null;
}

function threadsUnder(visible, parentId) {
  return visible
    .filter((one) => isThread(one) && one.parent_id === parentId && !one.thread_metadata?.archived)
    .sort((a, b) => compareIds(a.id, b.id));
}

function setChannel(guilds, channel) {
  const home = channel.guild_id ? guilds.all.get(channel.guild_id)?.channels : guilds.direct;
  home?.set(channel.id, { ...home.get(channel.id), ...channel });
}

function dropChannel(guilds, channel) {
  guilds.direct.delete(channel.id);
  const channels = guilds.all.get(channel.guild_id)?.channels;
  if (!channels) return;
  channels.delete(channel.id);
  for (const one of [...channels.values()]) {
    if (isThread(one) && one.parent_id === channel.id) channels.delete(one.id);
  }
}

function createGuild(guilds, data) {
  if (data.unavailable) return;
  const channels = [...(data.channels ?? []), ...(data.threads ?? [])];
  const described = channels.map((one) => ({ ...one, guild_id: data.id }));
  const events = byId(data.guild_scheduled_events);
  const guild = { ...data, events, roles: byId(data.roles), channels: byId(described), members: memberMap(data.members) };
  guilds.all.set(data.id, shallowReactive(guild));
}

function updateMember(guild, data) {
  if (!guild) return;
  const before = guild.members.get(data.user.id);
  guild.members.set(data.user.id, { ...before, ...data, user: { ...before?.user, ...data.user } });
}

const HANDLERS = {
  // What is known stays on the screen until each guild has been described anew.
  READY: (guilds, data) => {
    const listed = new Set(data.guilds.map((guild) => guild.id));
    for (const id of [...guilds.all.keys()]) if (!listed.has(id)) guilds.all.delete(id);
    for (const channel of data.private_channels ?? []) guilds.direct.set(channel.id, channel);
  },
  GUILD_CREATE: createGuild,
  GUILD_UPDATE: (guilds, data) => {
    const { roles, channels, members, ...plain } = data;
    Object.assign(guilds.all.get(data.id) ?? {}, plain);
  },
  // An outage is not a farewell: what was seen of the guild stays on the screen.
  GUILD_DELETE: (guilds, data) => data.unavailable || guilds.all.delete(data.id),
  GUILD_ROLE_CREATE: (_, data, guild) => guild?.roles.set(data.role.id, data.role),
  GUILD_ROLE_UPDATE: (_, data, guild) => guild?.roles.set(data.role.id, data.role),
  GUILD_ROLE_DELETE: (_, data, guild) => guild?.roles.delete(data.role_id),
  GUILD_MEMBER_ADD: (_, data, guild) => updateMember(guild, data),
  GUILD_MEMBER_UPDATE: (_, data, guild) => updateMember(guild, data),
  GUILD_MEMBER_REMOVE: (_, data, guild) => guild?.members.delete(data.user.id),
  GUILD_MEMBERS_CHUNK: (_, data, guild) => {
    for (const member of data.members) updateMember(guild, member);
  },
  GUILD_SCHEDULED_EVENT_CREATE: (_, data, guild) => guild?.events.set(data.id, data),
  GUILD_SCHEDULED_EVENT_UPDATE: (_, data, guild) => (data.status > 2 ? guild?.events.delete(data.id) : guild?.events.set(data.id, data)),
  GUILD_SCHEDULED_EVENT_DELETE: (_, data, guild) => guild?.events.delete(data.id),
  CHANNEL_CREATE: setChannel,
  CHANNEL_UPDATE: setChannel,
  CHANNEL_DELETE: dropChannel,
  THREAD_CREATE: setChannel,
  THREAD_UPDATE: setChannel,
  THREAD_DELETE: dropChannel,
  THREAD_LIST_SYNC: (guilds, data) => {
    for (const thread of data.threads ?? []) setChannel(guilds, { ...thread, guild_id: data.guild_id });
  },
};
