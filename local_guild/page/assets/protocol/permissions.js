// What a member may do in a channel: roles first, then the channel's overwrites, as the platform defines it.

export const PERMISSION = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_GUILD: 1n << 5n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
};

const EVERYTHING = (1n << 60n) - 1n;
const ROLE_OVERWRITE = 0;
const THREAD_TYPES = new Set([10, 11, 12]);

export function isThread(channel) {
  return THREAD_TYPES.has(channel.type);
}

// A thread has no overwrites of its own: its parent's count.
function overwritesOf(guild, channel) {
  const owner = isThread(channel) ? guild.channels.get(channel.parent_id) : channel;
  return owner?.permission_overwrites ?? [];
}

function apply(permissions, overwrite) {
  if (!overwrite) return permissions;
  return (permissions & ~BigInt(overwrite.deny)) | BigInt(overwrite.allow);
}

function applyRoles(permissions, overwrites, roleIds) {
  let allow = 0n;
  let deny = 0n;
  for (const overwrite of overwrites) {
    if (Number(overwrite.type) !== ROLE_OVERWRITE || !roleIds.has(overwrite.id)) continue;
    allow |= BigInt(overwrite.allow);
    deny |= BigInt(overwrite.deny);
  }
  return (permissions & ~deny) | allow;
}

function guildPermissions(guild, memberId) {
  if (guild.owner_id === memberId) return EVERYTHING;
  const member = guild.members.get(memberId);
  let permissions = BigInt(guild.roles.get(guild.id)?.permissions ?? 0);
  for (const id of member?.roles ?? []) permissions |= BigInt(guild.roles.get(id)?.permissions ?? 0);
  return permissions & PERMISSION.ADMINISTRATOR ? EVERYTHING : permissions;
}

export function permissionsIn(guild, channel, memberId) {
  let permissions = guildPermissions(guild, memberId);
  if (permissions === EVERYTHING) return permissions;
  const overwrites = overwritesOf(guild, channel);
  permissions = apply(permissions, overwrites.find((one) => one.id === guild.id));
  permissions = applyRoles(permissions, overwrites, new Set(guild.members.get(memberId)?.roles ?? []));
  return apply(permissions, overwrites.find((one) => one.id === memberId));
}

export function mayView(guild, channel, memberId) {
  return Boolean(permissionsIn(guild, channel, memberId) & PERMISSION.VIEW_CHANNEL);
}

export function maySend(guild, channel, memberId) {
  const needed = isThread(channel) ? PERMISSION.SEND_MESSAGES_IN_THREADS : PERMISSION.SEND_MESSAGES;
  return Boolean(permissionsIn(guild, channel, memberId) & needed);
}

// Private means: somebody who has no role at all does not see it.
export function isPrivate(guild, channel) {
  if (channel.type === 12) return true;
  const everyone = BigInt(guild.roles.get(guild.id)?.permissions ?? 0);
  const overwrite = overwritesOf(guild, channel).find((one) => one.id === guild.id);
  return !(apply(everyone, overwrite) & PERMISSION.VIEW_CHANNEL);
}
