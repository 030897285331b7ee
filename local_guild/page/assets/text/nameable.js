// What of a guild an option or a menu can name: its people, roles and channels, as signs and ids.

export function peopleOf(guild, session) {
  return [...guild.members.values()].map(({ user }) => ({ value: user.id, label: `@${session.nameOf(user)}` }));
}

export function rolesOf(guild) {
  return [...guild.roles.values()].map((role) => ({ value: role.id, label: `@${role.name.replace(/^@/, "")}` }));
}

export function channelsOf(guild, session, kinds) {
  const channels = session.guilds.outline(guild).flatMap((section) => section.entries.map((one) => one.channel));
  const fitting = channels.filter((one) => !kinds?.length || kinds.includes(one.type));
  return fitting.map((one) => ({ value: one.id, label: `#${one.name}` }));
}
