// Follows one view of the table: hears numbers from the stream, fetches the view, and catches up after sleep.

const POLL = 2000; // ms between looks when there is no stream
const SLOW_POLL = 15000; // ms between looks beside an open stream: a network can die without a word
const PATIENCE = 5000; // ms for one fetch
const RETRY = [300, 700, 1500, 3000]; // ms between tries while the table cannot be reached

export class Live {
  // base: "/" or "/seat/a/". show(view) draws; status("live" | "lost") tells how the connection is.
  constructor(base, show, status = () => {}) {
    this.base = base;
    this.show = show;
    this.status = status;
    this.view = null;
    this.tab = Array.from(crypto.getRandomValues(new Uint8Array(8)), (b) => b.toString(16)).join("");
    this.framed = window.top !== window; // many frames with a stream each would stall the browser
    this.failures = 0;
    this.lastTick = Date.now();
  }

  start() {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.sleep() : this.wake()));
    document.addEventListener("freeze", () => this.sleep());
    document.addEventListener("resume", () => this.wake());
    window.addEventListener("pagehide", () => this.sleep());
    window.addEventListener("pageshow", (event) => event.persisted && this.wake());
    window.addEventListener("online", () => this.wake());
    window.addEventListener("offline", () => this.status("lost"));
    setInterval(() => this.tick(), 1000);
    this.wake();
    return this;
  }

  // A laptop that slept with the page in front gets no event, but its clock jumps.
  tick() {
    const jumped = Date.now() - this.lastTick > 5000;
    this.lastTick = Date.now();
    if (jumped && !document.hidden) this.wake();
  }

  sleep() {
    this.source?.close();
    this.source = null;
    this.fetching?.abort();
    clearInterval(this.poll);
    clearTimeout(this.retry);
    clearTimeout(this.reopen);
  }

  wake() {
    if (document.hidden) return;
    this.sleep();
    this.refresh();
    this.listen();
  }

  listen() {
    this.pollEvery(this.framed ? POLL / 2 : POLL);
    if (this.framed || !window.EventSource) return;
    const source = new EventSource(`${this.base}live?tab=${this.tab}`);
    this.source = source;
    source.onopen = () => this.pollEvery(SLOW_POLL);
    source.onmessage = (event) => this.hear(Number(event.data));
    source.onerror = () => {
      this.pollEvery(POLL);
      if (source.readyState === EventSource.CLOSED) {
        this.source = null;
        clearTimeout(this.reopen);
        this.reopen = setTimeout(() => !document.hidden && this.wake(), 30000);
      }
    };
  }

  pollEvery(time) {
    clearInterval(this.poll);
    this.poll = setInterval(() => this.ask(), time);
  }

  // A number that comes while a view is on its way is compared when the view is here.
  hear(version) {
    if (this.busy) this.heard = Math.max(this.heard, version);
    else if (!this.view || version !== this.view.version) this.refresh();
  }

  async ask() {
    try {
      this.hear(await this.get("version.json"));
    } catch {
      this.refresh();
    }
  }

  // Fetch the view; calls during a fetch lead to one more fetch after it.
  async refresh() {
    if (this.busy) {
      this.again = true;
      return;
    }
    this.busy = true;
    this.heard = 0;
    clearTimeout(this.retry);
    try {
      const view = await this.get("view.json");
      this.failures = 0;
      this.status("live");
      this.view = view;
      this.show(view);
      if (this.heard > view.version) this.again = true;
    } catch (error) {
      if (error.status === 409) {
        location.replace("/j?say=not_seated");
        return;
      }
      this.failures += 1;
      if (this.failures > 1) this.status("lost");
      if (!document.hidden) this.retry = setTimeout(() => this.refresh(), RETRY[Math.min(this.failures, RETRY.length) - 1]);
      if (!(error instanceof TypeError || error.name === "AbortError" || error.status)) throw error;
    } finally {
      this.busy = false;
      if (this.again) {
        this.again = false;
        this.refresh();
      }
    }
  }

  async get(name) {
    const stop = new AbortController();
    this.fetching = stop;
    const timer = setTimeout(() => stop.abort(), PATIENCE);
    try {
      const response = await fetch(`${this.base}${name}`, { cache: "no-store", signal: stop.signal });
      if (!response.ok) throw Object.assign(new Error("refused"), { status: response.status });
      return await response.json();
    } finally {
      clearTimeout(timer);
    }
  }
}
