// Message events of the gateway, applied to the window of the channel they belong to.

function sameEmoji(a, b) {
  return a.id ? a.id === b.id : a.name === b.name;
}

function withReaction(message, emoji, change, mine) {
  const reactions = [...(message.reactions ?? [])];
  const at = reactions.findIndex((one) => sameEmoji(one.emoji, emoji));
  const before = at >= 0 ? reactions[at] : { emoji, count: 0, me: false };
  const me = mine ? change > 0 : before.me;
  const after = { ...before, count: before.count + change, me };
  if (at >= 0) reactions[at] = after;
  else reactions.push(after);
  return { ...message, reactions: reactions.filter((one) => one.count > 0) };
}

const EVENTS = {
  MESSAGE_CREATE: (timeline, data) => timeline.receive(data),
  MESSAGE_UPDATE: (timeline, data) => timeline.change(data.id, (one) => ({ ...one, ...data })),
  MESSAGE_DELETE: (timeline, data) => timeline.remove([data.id]),
  MESSAGE_DELETE_BULK: (timeline, data) => timeline.remove(data.ids),
  MESSAGE_REACTION_ADD: (timeline, data, me) =>
    timeline.change(data.message_id, (one) => withReaction(one, data.emoji, 1, data.user_id === me)),
  MESSAGE_REACTION_REMOVE: (timeline, data, me) =>
    timeline.change(data.message_id, (one) => withReaction(one, data.emoji, -1, data.user_id === me)),
};

// Returns whether the event was about messages, whoever is looking at their channel or not.
export function applyMessageEvent(type, data, timeline, memberId) {
  const event = EVENTS[type];
  if (!event) return false;
  if (timeline) event(timeline, data, memberId);
  return true;
}
