/**
 * The browser's half of the worker pool (worker_pool.py says what it is for and what it hides).
 *
 * `hostWorkers` runs in one page that owns real workers; `installPooledWorker` runs in every page
 * under test before its own scripts. They exchange lines of JSON through the relay of the test
 * server: {page, id, action, message}, where `id` counts the workers that a page has created.
 */

/** A two-way line to the relay; `receive` gets each entry. Entries sent together go out as one request. */
function connect(site, name, receive) {
  const request = fetch.bind(globalThis); // a page under test may replace its own
  const queues = new Map();

  async function read() {
    const response = await request(`${site}workers/${name}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    deliver(reader).catch(() => {}); // the page is being closed
  }

  async function deliver(reader) {
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) receive(JSON.parse(line));
    }
  }

  const opened = read();

  /** Entries to one receiver arrive in the order of the calls. */
  return async function send(to, entry) {
    const queue = queues.get(to) ?? [];
    queue.push(JSON.stringify(entry));
    if (queues.has(to)) return;
    queues.set(to, queue);
    await opened;
    while (queue.length) {
      const body = `${queue.splice(0).join("\n")}\n`;
      await request(`${site}workers/${to}`, { method: "POST", body }).catch(() => {});
    }
    queues.delete(to);
  };
}

/** A worker's message with its typed arrays as [constructor's name, base64]. */
function encode(message) {
  if (!message.arrays) return message;
  const arrays = Object.entries(message.arrays).map(([name, array]) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
    return [name, [array.constructor.name, btoa(text)]];
  });
  return { ...message, arrays: Object.fromEntries(arrays) };
}

function decode(message) {
  if (!message.arrays) return message;
  const arrays = Object.entries(message.arrays).map(([name, [kind, text]]) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return [name, new globalThis[kind](bytes.buffer)];
  });
  return { ...message, arrays: Object.fromEntries(arrays) };
}

/** Replace `new Worker(".../engine/worker.js")` by a worker of the pool; other workers stay real. */
function installPooledWorker(site) {
  if (!globalThis.Worker || self.origin !== new URL(site).origin) return;
  // The pool's workers have Pyodide already. Set before the page's modules, which bind `fetch` at once.
  const fetched = globalThis.fetch;
  globalThis.fetch = (address, ...more) =>
    String(address).includes("/pyodide/") ? new Promise(() => {}) : fetched(address, ...more);
  const page = `page-${Math.random().toString(36).slice(2)}`;
  const workers = new Map();
  let send;

  class PooledWorker extends EventTarget {
    onmessage = null;
    onerror = null;
    #id = workers.size + 1;

    constructor() {
      super();
      send ??= connect(site, page, ({ id, action, message }) => workers.get(id)?.dispatch(action, message));
      workers.set(this.#id, this);
      this.#send("start");
    }

    postMessage(message) {
      if (message.type !== "runtime") this.#send("post", encode(message));
    }

    terminate() {
      if (!workers.get(this.#id)) return;
      workers.set(this.#id, null); // its number is not used again
      this.#send("end");
    }

    dispatch(action, message) {
      const event =
        action === "error"
          ? new ErrorEvent("error", { message, cancelable: true })
          : new MessageEvent("message", { data: decode(message) });
      this[`on${event.type}`]?.(event);
      this.dispatchEvent(event);
    }

    #send(action, message) {
      send("host", { page, id: this.#id, action, message });
    }
  }

  globalThis.Worker = new Proxy(globalThis.Worker, {
    construct(Real, [address, options]) {
      const pooled = new URL(address, document.baseURI).href === `${site}engine/worker.js`;
      return pooled ? new PooledWorker() : new Real(address, options);
    },
  });
}

/** Own the real workers and lease each to one `PooledWorker` at a time; resolves once one is ready. */
function hostWorkers(site) {
  const MAX_IDLE = 4;
  const CANCEL_MS = 2000;
  const ASKING = ["ask", "bench", "call"];
  const ANSWERING = ["result", "fault"];
  const idle = [];
  const leases = new Map(); // by page and id, in the order of their start
  let preparing = 0; // workers that start, or finish what a closed page had asked
  const counts = { started: 0, leased: 0, cancelled: 0, replaced: 0, missed: 0 };
  let whole = false; // a function was missing once, so new workers take the whole module
  const send = connect(site, "host", receive);
  const reply = ({ page, id }, action, message) => send(page, { page, id, action, message });
  const waiting = () => [...leases.values()].filter((lease) => !lease.member);

  return new Promise((resolve) => {
    globalThis.pool = { counts, ready: resolve };
    startWorker();
  });

  function startWorker() {
    const worker = new Worker(`${site}engine/worker.js`, { type: "module" });
    const member = { worker, whole, ready: null, open: new Set(), lease: null, retire: 0 };
    counts.started++;
    preparing++;
    giveRuntime(member);
    worker.onmessage = ({ data }) => receiveFrom(member, data);
    worker.onerror = (event) => fail(member, "error", event.message ?? "");
  }

  async function giveRuntime({ worker, whole }) {
    const { loadRuntime, RUNTIME, WHOLE_RUNTIME } = await import(`${site}engine/download.js`);
    worker.postMessage({ type: "runtime", module: await loadRuntime(whole ? WHOLE_RUNTIME : RUNTIME).module });
  }

  function receiveFrom(member, message) {
    if (message.type === "missed") return missed(member);
    if (!member.ready) {
      if (message.type === "ready") {
        member.ready = message;
        makeIdle(member);
      } else if (message.name === "failed") fail(member, "message", message);
      return;
    }
    if (ANSWERING.includes(message.type)) member.open.delete(message.id);
    if (member.lease) reply(member.lease, "message", encode(message));
    else if (member.retire && !member.open.size) {
      clearTimeout(member.retire);
      member.retire = 0;
      makeIdle(member);
    }
  }

  /** A worker that lacks a function posts nothing more; no page gets another that may lack it. */
  function missed(member) {
    counts.missed++;
    whole = true;
    for (const thin of idle.splice(0)) thin.worker.terminate();
    if (member.lease) reply(member.lease, "message", { type: "missed" });
    if (!member.ready || member.retire) preparing--;
    discard(member);
    if (!member.ready && !preparing) startWorker();
    assign();
  }

  /** A worker that cannot start or go on: report it to its page, or to every page that waits for a start. */
  function fail(member, action, message) {
    const concerned = member.lease ? [member.lease] : member.ready ? [] : waiting();
    for (const lease of concerned) reply(lease, action, message);
    if (!member.ready || member.retire) preparing--;
    discard(member);
  }

  function discard(member) {
    counts.replaced++;
    clearTimeout(member.retire);
    member.worker.terminate();
    member.worker.onmessage = null;
    member.discarded = true;
    const at = idle.indexOf(member);
    if (at >= 0) idle.splice(at, 1);
  }

  function makeIdle(member) {
    preparing--;
    globalThis.pool.ready(true);
    if (idle.length >= MAX_IDLE || whole !== member.whole) member.worker.terminate();
    else idle.push(member);
    assign();
  }

  function assign() {
    for (const lease of waiting()) {
      const member = idle.shift();
      if (!member) break;
      lease.member = member;
      member.lease = lease;
      counts.leased++;
      reply(lease, "message", member.ready);
      for (const message of lease.early.splice(0)) post(member, message);
    }
    for (let missing = waiting().length - preparing; missing > 0; missing--) startWorker();
  }

  function post(member, message) {
    if (ASKING.includes(message.type)) member.open.add(message.id);
    member.worker.postMessage(decode(message));
  }

  function receive({ page, id, action, message }) {
    if (action === "closed") {
      for (const lease of [...leases.values()]) if (lease.page === page) end(lease);
      return;
    }
    const key = `${page} ${id}`;
    const lease = leases.get(key);
    if (action === "start") {
      leases.set(key, { key, page, id, member: null, early: [] });
      assign();
    } else if (!lease) return;
    else if (action === "end") end(lease);
    else if (lease.member) post(lease.member, message);
    else lease.early.push(message);
  }

  /** The page has no use for its worker any more. What it asked is cancelled before another page gets it. */
  function end({ key, member }) {
    leases.delete(key);
    if (!member || member.discarded) return;
    member.lease = null;
    preparing++;
    if (!member.open.size) return makeIdle(member);
    counts.cancelled++;
    member.retire = setTimeout(() => {
      preparing--;
      discard(member);
      if (!idle.length && !preparing) startWorker();
    }, CANCEL_MS);
    for (const id of member.open) member.worker.postMessage({ type: "cancel", id });
  }
}
