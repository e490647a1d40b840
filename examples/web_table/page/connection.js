// The conversation with the server. A lost connection is opened again until it stands; the first thing that the
// server says is where the table is now, so nothing has to be remembered here.

export class Connection {
  constructor(link, { onUpdate, onStanding, onEnd }) {
    this.link = link;
    this.onUpdate = onUpdate;
    this.onStanding = onStanding;
    this.onEnd = onEnd;
    this.asked = new Map();
    this.number = 0;
    this.tries = 0;
    window.addEventListener("online", () => this.#soon(0));
    document.addEventListener("visibilitychange", () => document.hidden || this.#soon(0));
    this.#open();
  }

  // Ask for something; resolves with the answer, also with a refusal. Rejects when the connection is lost before the
  // answer came: the update after the next opening tells whether it was done.
  ask(message) {
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        reject(new Error("The connection is lost. It will be back in a moment."));
        return;
      }
      const id = ++this.number;
      this.asked.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ ...message, id }));
    });
  }

  #open() {
    this.timer = null;
    const socket = new WebSocket(new URL("socket", location.href.split("#")[0].replace(/^http/, "ws")));
    this.socket = socket;
    // The secret travels inside the connection: no address, so no log and no referrer, ever has it.
    socket.onopen = () => socket.send(JSON.stringify({ type: "join", link: this.link }));
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (socket === this.socket) this.#closed(event.code);
    };
  }

  #hear(message) {
    if (message.type === "table") {
      this.tries = 0;
      this.onStanding(true);
      this.onUpdate(message);
      return;
    }
    this.asked.get(message.id)?.resolve(message);
    this.asked.delete(message.id);
    this.lastRefusal = message.type === "refused" ? message : null;
  }

  #closed(code) {
    for (const { reject } of this.asked.values()) {
      reject(new Error("The connection was lost. Look whether your wish was heard."));
    }
    this.asked.clear();
    if (code === 4404 || code === 4429) {
      this.socket = null;
      this.onEnd(this.lastRefusal ?? { reason: "too-many", message: "Too many messages." });
      return;
    }
    this.onStanding(false);
    this.tries += 1;
    this.#soon(Math.min(8000, 250 * 2 ** Math.min(this.tries, 5)) * (0.7 + 0.6 * Math.random()));
  }

  #soon(milliseconds) {
    const waiting = this.socket?.readyState === WebSocket.CLOSED;
    if (!waiting) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#open(), milliseconds);
  }
}
