// One member's gateway connection: identify, heartbeat, and after a loss resume where it was.

const OP = {
  DISPATCH: 0,
  HEARTBEAT: 1,
  IDENTIFY: 2,
  RESUME: 6,
  RECONNECT: 7,
  REQUEST_MEMBERS: 8,
  INVALID_SESSION: 9,
  HELLO: 10,
  HEARTBEAT_ACK: 11,
};

// Every intent there is: a person's own client hides nothing from them.
const ALL_INTENTS = 0x331ffff;
const FIRST_RETRY_MS = 400;
const LONGEST_RETRY_MS = 8_000;
// Closing with 1000 or 1001 would end the session on the server; this code keeps it resumable.
const KEEP_SESSION = 4000;
const FATAL_CODES = new Set([4004, 4010, 4011, 4012, 4013, 4014]);

export class Gateway {
  #socket = null;
  #beat = 0;
  #acknowledged = true;
  #sequence = null;
  #session = null;
  #retry = 0;
  #retryTimer = 0;
  #closed = false;

  constructor(token, { onDispatch, onStatus }) {
    this.token = token;
    this.onDispatch = onDispatch;
    this.onStatus = onStatus;
    this.wake = () => this.#wakeUp();
    window.addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
  }

  connect() {
    this.onStatus(this.#retry === 0 ? "connecting" : "lost");
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/gateway?v=10&encoding=json`);
    this.#socket = socket;
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data));
    socket.onclose = (event) => this.#lost(socket, event.code);
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#retryTimer);
    clearInterval(this.#beat);
    window.removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.#socket?.close(1000);
  }

  requestMembers(guildId) {
    this.#send(OP.REQUEST_MEMBERS, { guild_id: guildId, query: "", limit: 0 });
  }

  #send(op, d) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ op, d }));
  }

  #receive({ op, d, s, t }) {
    if (s != null) this.#sequence = s;
    if (op === OP.DISPATCH) this.#dispatch(t, d);
    else if (op === OP.HELLO) this.#greet(d.heartbeat_interval);
    else if (op === OP.HEARTBEAT) this.#send(OP.HEARTBEAT, this.#sequence);
    else if (op === OP.HEARTBEAT_ACK) this.#acknowledged = true;
    else if (op === OP.RECONNECT) this.#socket.close(KEEP_SESSION);
    else if (op === OP.INVALID_SESSION) this.#refused(d);
  }

  #dispatch(type, data) {
    if (type === "READY") this.#session = data.session_id;
    if (type === "READY" || type === "RESUMED") {
      this.#retry = 0;
      this.onDispatch(type, data);
      this.onStatus("online");
      return;
    }
    this.onDispatch(type, data);
  }

  #greet(interval) {
    clearInterval(this.#beat);
    this.#acknowledged = true;
    this.#beat = setInterval(() => this.#heartbeat(), interval);
    if (this.#session) {
      this.#send(OP.RESUME, { token: this.token, session_id: this.#session, seq: this.#sequence });
      return;
    }
    const properties = { os: navigator.platform || "unknown", browser: "local guild page", device: "" };
    this.#send(OP.IDENTIFY, { token: this.token, intents: ALL_INTENTS, large_threshold: 250, properties });
  }

  #heartbeat() {
    if (!this.#acknowledged) {
      this.#socket.close(KEEP_SESSION);
      return;
    }
    this.#acknowledged = false;
    this.#send(OP.HEARTBEAT, this.#sequence);
  }

  #refused(resumable) {
    if (!resumable) this.#forgetSession();
    this.#socket.close(KEEP_SESSION);
  }

  #forgetSession() {
    this.#session = null;
    this.#sequence = null;
  }

  #lost(socket, code) {
    if (socket !== this.#socket) return;
    clearInterval(this.#beat);
    if (this.#closed) return;
    if (FATAL_CODES.has(code)) {
      this.#closed = true;
      this.onStatus("refused");
      return;
    }
    if (code === 4007 || code === 4009) this.#forgetSession();
    this.onStatus("lost");
    const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#retry);
    this.#retry += 1;
    this.#retryTimer = setTimeout(() => this.connect(), wait * (0.75 + Math.random() / 2));
  }

  // A laptop that wakes or a network that returns should not sit out a long back-off.
  #wakeUp() {
    if (this.#closed || document.visibilityState !== "visible") return;
    if (this.#socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(this.#retryTimer);
    this.connect();
  }
}
