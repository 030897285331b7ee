// REST calls as one member, with errors that can be shown to a person as they are.

const TIMEOUT_MS = 20_000;

const SENTENCES = {
  10003: "That channel is gone.",
  10008: "That message is gone.",
  10062: "The bot took too long to answer. Try again.",
  40005: "That file is too large.",
  50001: "You cannot see that channel.",
  50006: "A message needs some text or a file.",
  50007: "You cannot send messages to that member.",
  50013: "You do not have the permission to do that here.",
  50083: "That thread is archived.",
};

// Invalid forms come as a tree of fields whose leaves are {_errors: [{message}]}.
function firstFieldMessage(errors) {
  if (!errors || typeof errors !== "object") return "";
  if (Array.isArray(errors._errors) && errors._errors.length > 0) return String(errors._errors[0].message ?? "");
  for (const inner of Object.values(errors)) {
    const found = firstFieldMessage(inner);
    if (found) return found;
  }
  return "";
}

function sentenceFor(status, body) {
  const code = body?.code ?? 0;
  if (code === 50035) return firstFieldMessage(body.errors) || "The server did not accept that.";
  if (SENTENCES[code]) return SENTENCES[code];
  if (status === 401) return "This member's token is no longer valid. Reload the page.";
  if (status === 429) return "Too fast: the server asks for a pause. Try again in a moment.";
  if (status >= 500) return `The server had a problem (${status}). Try again in a moment.`;
  return typeof body?.message === "string" && body.message ? body.message : `The server answered ${status}.`;
}

async function send(url, init) {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (reason) {
    const late = reason instanceof DOMException && reason.name === "TimeoutError";
    throw new Error(late ? "The server took too long to answer." : "The server cannot be reached just now.");
  }
}

async function request(method, url, { token, json, form } = {}) {
  const headers = {};
  if (token) headers.Authorization = token;
  if (json !== undefined) headers["Content-Type"] = "application/json";
  const response = await send(url, { method, headers, body: json !== undefined ? JSON.stringify(json) : form });
  const body = await response.json().catch(() => null); // some answers have none
  if (!response.ok) throw new Error(sentenceFor(response.status, body));
  return body;
}

function described(files) {
  return files.map((file, index) => ({ id: String(index), filename: file.name }));
}

function withFiles(payload, files) {
  const form = new FormData();
  form.append("payload_json", JSON.stringify(payload));
  files.forEach((file, index) => form.append(`files[${index}]`, file, file.name));
  return form;
}

export class Rest {
  constructor(token) {
    this.token = token;
  }

  call(method, path, options = {}) {
    return request(method, `/api/v10${path}`, { ...options, token: this.token });
  }

  history(channelId, query) {
    return this.call("GET", `/channels/${channelId}/messages?${new URLSearchParams(query)}`);
  }

  send(channelId, payload, files = []) {
    const path = `/channels/${channelId}/messages`;
    if (files.length === 0) return this.call("POST", path, { json: payload });
    return this.call("POST", path, { form: withFiles({ ...payload, attachments: described(files) }, files) });
  }

  edit(channelId, messageId, content) {
    return this.call("PATCH", `/channels/${channelId}/messages/${messageId}`, { json: { content } });
  }

  remove(channelId, messageId) {
    return this.call("DELETE", `/channels/${channelId}/messages/${messageId}`);
  }

  typing(channelId) {
    return this.call("POST", `/channels/${channelId}/typing`);
  }

  react(channelId, messageId, emoji, on) {
    const name = emoji.id ? `${emoji.name}:${emoji.id}` : emoji.name;
    const path = `/channels/${channelId}/messages/${messageId}/reactions/${encodeURIComponent(name)}/@me`;
    return this.call(on ? "PUT" : "DELETE", path);
  }

  pin(channelId, messageId, on) {
    return this.call(on ? "PUT" : "DELETE", `/channels/${channelId}/messages/pins/${messageId}`);
  }

  directChannels() {
    return this.call("GET", "/users/@me/channels");
  }

  openDirect(recipientId) {
    return this.call("POST", "/users/@me/channels", { json: { recipient_id: recipientId } });
  }

  startThread(channelId, messageId, name) {
    return this.call("POST", `/channels/${channelId}/messages/${messageId}/threads`, { json: { name } });
  }

  startPost(channelId, name, content) {
    return this.call("POST", `/channels/${channelId}/threads`, { json: { name, message: { content } } });
  }

  interact(payload) {
    return this.call("POST", "/interactions", { json: payload });
  }

  commands(guildId) {
    return request("GET", `/local/guilds/${guildId}/commands`, { token: this.token });
  }

  enter(address, guildId) {
    return request("POST", address, { token: this.token, json: { guild_id: guildId ?? "0" } });
  }

  playSampleWeek(guildId) {
    return request("POST", "/local/sample-week", { token: this.token, json: { guild_id: guildId } });
  }
}

export function readWorld() {
  return request("GET", "/local/world");
}
