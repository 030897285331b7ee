// Messages that the platform writes by itself, as sentences.

const ORDINARY = new Set([0, 19, 20, 21, 23]);

const SENTENCES = {
  6: (name) => `${name} pinned a message to this channel.`,
  7: (name) => `${name} joined. Welcome in!`,
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
