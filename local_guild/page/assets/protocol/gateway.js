// One member's gateway connection. After a loss a new session begins, and tells anew what there is.

const OP = { DISPATCH: 0, IDENTIFY: 2, RECONNECT: 7, REQUEST_MEMBERS: 8, INVALID_SESSION: 9 };

// Every intent there is: a person's own client hides nothing from them.
const ALL_INTENTS = 0x331ffff;
const FIRST_RETRY_MS = 400;
const LONGEST_RETRY_MS = 4_000;
const UNKNOWN_MEMBER = 4004;

export class Gateway {
  #socket = null;
  #retry = 0;
  #retryTimer = 0;
  #closed = false;

  constructor(token, { onDispatch, onStatus }) {
    this.token = token;
    this.onDispatch = onDispatch;
    this.onStatus = onStatus;
  }

  connect() {
    this.onStatus(this.#retry === 0 ? "connecting" : "lost");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/gateway?v=10&encoding=json`);
    this.#socket = socket;
    socket.onopen = () => this.#send(OP.IDENTIFY, { token: this.token, intents: ALL_INTENTS });
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#lost(event.code);
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    this.#socket?.close(1000);
  }

  requestMembers(guildId) {
    this.#send(OP.REQUEST_MEMBERS, { guild_id: guildId, query: "", limit: 0 });
  }

  #send(op, d) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ op, d }));
  }

  #receive({ op, d, t }) {
    if (op === OP.DISPATCH) {
      this.onDispatch(t, d);
      if (t !== "READY") return;
      this.#retry = 0;
      this.onStatus("online");
    } else if (op === OP.RECONNECT || op === OP.INVALID_SESSION) this.#socket.close(1000);
  }

  #lost(code) {
    if (this.#closed) return;
    this.#closed = code === UNKNOWN_MEMBER;
    this.onStatus(this.#closed ? "refused" : "lost");
    if (this.#closed) return;
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retry);
    this.#retry += 1;
    this.#retryTimer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }
}
