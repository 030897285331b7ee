// What a member does to messages. Each act ends well or in a sentence on the screen.

import { newNonce } from "../protocol/snowflake.js";
import { toWire } from "../text/mentions.js";
import { isForum } from "./guilds.js";
import { notify } from "./notices.js";

// Returns whether the act succeeded, so that a form can keep its content when it did not.
export async function attempt(act) {
  try {
    await act();
    return true;
  } catch (reason) {
    notify(reason.message);
    return false;
  }
}

export function sendMessage(session, channelId, text, { replyTo, files }) {
  const guild = session.guilds.guildOf(channelId);
  const payload = { content: toWire(text, guild), nonce: newNonce(), enforce_nonce: true };
  if (replyTo) payload.message_reference = { message_id: replyTo.id, channel_id: channelId, fail_if_not_exists: false };
  const channel = session.guilds.channel(channelId);
  if (isForum(channel)) return attempt(() => startPost(session, channel, payload.content));
  return attempt(async () => {
    const message = await session.rest.send(channelId, payload, files);
    // Normally the gateway has brought it already; while it reconnects this shows it at once.
    session.timeline(channelId).receive(message);
  });
}

// In a forum whatever is written begins a post; its first line is the title.
async function startPost(session, channel, content) {
  const name = content.split("\n", 1)[0].slice(0, 60);
  const thread = await session.rest.startPost(channel.id, name, content);
  session.guilds.apply("THREAD_CREATE", { ...thread, guild_id: channel.guild_id });
  session.openChannel(thread.id);
}

export function editMessage(session, message, text) {
  const guild = session.guilds.guildOf(message.channel_id);
  return attempt(() => session.rest.edit(message.channel_id, message.id, toWire(text, guild)));
}

export async function deleteMessage(session, desk, message) {
  const agreed = await desk.confirm({
    title: "Delete this message?",
    text: "It disappears for everyone. This cannot be undone.",
    message,
    action: "Delete",
  });
  if (agreed) await attempt(() => session.rest.remove(message.channel_id, message.id));
}

export function toggleReaction(session, message, emoji) {
  const mine = (message.reactions ?? []).some((one) => one.me && (one.emoji.id ?? one.emoji.name) === (emoji.id ?? emoji.name));
  return attempt(() => session.rest.react(message.channel_id, message.id, emoji, !mine));
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied.`, "info");
  } catch {
    notify("The browser did not allow copying.");
  }
}
