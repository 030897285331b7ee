// Messages that the platform writes by itself, as sentences.

const ORDINARY = new Set([0, 19, 20, 21, 23]);

const SENTENCES = {
  1: (name) => `${name} added someone to the group.`,
  2: (name) => `${name} removed someone from the group.`,
  4: (name, message) => `${name} changed the channel's name to ${message.content}.`,
  6: (name) => `${name} pinned a message to this channel.`,
  7: (name) => `${name} joined. Welcome in!`,
  8: (name) => `${name} boosted the server.`,
  18: (name, message) => `${name} started a thread: ${message.content}`,
  46: (name) => `${name}'s poll has closed.`,
};

export function isSystem(message) {
  return !ORDINARY.has(message.type ?? 0);
}

export function systemSentence(message, name) {
  const sentence = SENTENCES[message.type];
  return sentence ? sentence(name, message) : message.content || `${name} did something this page does not know.`;
}
