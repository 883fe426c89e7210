/**
 * The whole page without a browser: web/app.js runs with fakes of storage, the address, the worker and
 * the few other browser interfaces that it uses.
 *
 *   const page = await visit("#/code");
 *   await page.keys("001111", "Enter");
 *   page.all(".guess").length; // 1
 *   await page.menu("Saved positions");
 *   const again = await page.reload(); // a new page with the same storage
 *
 * Python never becomes ready without `answer`: `visit("#/code", { answer: (question) => ({ … }) })`.
 */
import { register } from "node:module";
import { Drawn, draw } from "./template.mjs";

// Each load of the page gets modules of its own: the number of the load is in their addresses.
const HOOK = `export const resolve = async (name, context, next) => {
  const found = await next(name, context);
  const [load] = /[?]load=\\d+$/.exec(context.parentURL ?? "") ?? [];
  const fresh = load && /\\/web\\/(?:app|session\\/|shell\\/(?!picture)|engine\\/(?!download-sizes))[^?]*$/.test(found.url);
  return fresh ? { ...found, url: found.url + load } : found;
};`;
register(`data:text/javascript,${encodeURIComponent(HOOK)}`);

const SITE = "https://example.org/";
const MAX_TURNS = 10_000; // of the event loop, until a wait fails
const CALM_TURNS = 12; // of the event loop without a change, after which the page is at rest

/** The stored data of one browser, and a record of the page's calls. */
export class Profile {
  /** the entries of IndexedDB @type {Map<string, any>} any: whatever a test stores */
  stored = new Map();
  /** storage throws when it is opened */
  refused = false;
  /** storage throws when something is written */
  full = false;
  /** @type {Map<string, string>} */
  settings = new Map();
  clipboard = "";
  /** calls of the share sheet @type {any[]} any: ShareData */
  shared = [];
  /** the name of the error that the share sheet throws */
  shareError = "";
  /** storage is persistent */
  persistent = false;
  /** calls of `navigator.storage.persist` */
  persistRequests = 0;
  /** @type {Map<string, Map<string, Response>>} */
  caches = new Map();

  /** @param {Record<string, unknown>} stored */
  constructor(stored = {}) {
    this.stored = new Map(Object.entries(structuredClone(stored)));
  }
}

/** the open page @type {Page} */
let open;
let loads = 0;

class Page {
  #listeners = [];
  #url;
  /** questions to the worker @type {any[]} any: of any desk */
  questions = [];
  /** records sent to other tabs */
  sent = [];

  constructor(address, profile, options) {
    this.#url = new URL(address, SITE);
    this.profile = profile;
    this.options = options;
    this.places = Object.fromEntries(["top", "bottom", "layer", "desk", "live"].map((id) => [id, place(id)]));
    this.root = { dataset: { saved: "behind" } };
  }

  get address() {
    return this.#url.href;
  }

  listen(type, run) {
    this.#listeners.push([type, run]);
  }

  fire(type, facts = {}) {
    const event = { type, target: null, preventDefault() {}, stopPropagation() {}, ...facts };
    for (const [kind, run] of this.#listeners) if (kind === type) run(event);
  }

  /** Follows a link to another fragment. */
  async go(fragment) {
    this.root.dataset.saved = "behind"; // until the opened game is stored
    this.#url = new URL(fragment, this.#url);
    this.fire("hashchange");
    await this.settled();
  }

  replace(to) {
    this.#url = new URL(to, this.#url);
  }

  get url() {
    return this.#url;
  }

  /** The current drawing: header, desk, dialog and notice. */
  get drawn() {
    return draw(["top", "desk", "layer"].map((id) => this.places[id].template));
  }

  get text() {
    return this.drawn.text;
  }

  /** Waits until a condition holds, for parts of the page that are loaded on first use. */
  async until(holds) {
    for (let turns = 0; !holds(); turns++) {
      if (turns > MAX_TURNS) throw new Error(this.text.slice(-500));
      await new Promise((resolve) => wait(resolve, 5));
      await this.settled();
    }
  }

  /** The open dialog, or null. */
  get dialog() {
    return this.drawn.all("dialog")[0] ?? null;
  }

  /** The notice at the foot of the page. */
  get notice() {
    return this.drawn.all(".notice p")[0]?.text ?? "";
  }

  all(selector) {
    return this.drawn.all(selector);
  }

  /** Presses a button, in the dialog if one is open. */
  async press(name) {
    const inside = this.dialog ?? this.drawn;
    (name instanceof Drawn ? name : inside.role("button", name)).press();
    await this.settled();
  }

  /** Opens an entry of the menu. */
  async menu(title) {
    await this.press("Menu");
    await this.press(this.dialog.all(".menu-item").find((one) => one.one("b").text === title));
  }

  /** Fills in the field of that name and submits its form. */
  async submit(name, text) {
    const field = (this.dialog ?? this.drawn).role("textbox", name);
    field.properties.value = text;
    for (const type of ["input", "change"]) field.dispatch(type);
    field.closest("form").dispatch("submit");
    await this.settled();
  }

  /** Chooses files in an input. */
  async choose(selector, ...files) {
    const input = this.drawn.all(selector)[0];
    input.files = files;
    input.dispatch("change");
    await this.settled();
  }

  async keys(...keys) {
    for (const key of keys.flatMap((one) => (/^[A-Z][a-z]+|\+/.test(one) ? [one] : [...one]))) {
      const [name, ...held] = key.split(/\+(?=.)/).reverse();
      this.fire("keydown", { key: name, ctrlKey: held.includes("Ctrl"), shiftKey: held.includes("Shift") });
      await this.settled();
    }
  }

  /** Pastes text or drops files, outside any field. */
  async bring(type, { text = "", files = [] }) {
    const data = { files, getData: () => text };
    this.fire(type, { clipboardData: data, dataTransfer: data });
    await this.settled();
  }

  async close() {
    this.dialog.close();
    await this.settled();
  }

  /** Loads the page again in the same browser, at this or another address. */
  async reload(address = this.address) {
    return visit(address, { profile: this.profile, ...this.options });
  }

  /** Waits until nothing more changes: the address is written and storage has answered. */
  async settled() {
    for (let calm = 0, turns = 0; calm < CALM_TURNS; calm++) {
      if (++turns > MAX_TURNS)
        throw new Error(`The page is never at rest: ${JSON.stringify(this.root.dataset)}`);
      const before = work;
      await new Promise((resolve) => (pending ? wait(resolve, 5) : setImmediate(resolve)));
      const { address, saved } = this.root.dataset;
      if (work !== before || pending || timers.size || address === "behind" || saved === "behind") calm = 0;
    }
  }
}

/** number of writes, timers and drawings so far */
let work = 0;
/** number of files and streams that are being read */
let pending = 0;

/** @template T @param {Promise<T>} promise @returns {Promise<T>} */
function tracked(promise) {
  pending++;
  const over = () => {
    pending--;
    work++;
  };
  promise.then(over, over);
  return promise;
}

/** Makes `settled` wait for the promises of a method. @param {any} owner any: a prototype @param {string} name */
function track(owner, name) {
  const method = owner[name];
  owner[name] = function (...parameters) {
    return tracked(method.apply(this, parameters));
  };
}
track(ReadableStreamDefaultReader.prototype, "read");
track(Blob.prototype, "text");
track(Response.prototype, "blob");

/** An element that lit draws into. @param {string} id */
function place(id) {
  const one = {
    id,
    dataset: {},
    /** @type {unknown} */
    template: null,
    replaceChildren() {},
    setAttribute() {},
    querySelector: () => null,
    // lit's `render` finds its root part here and passes it each template.
    _$litPart$: {
      _$AI(next) {
        work++;
        one.template = next;
      },
    },
  };
  return one;
}

/** The part of IndexedDB that the page uses. */
const indexedDB = {
  open() {
    if (open.profile.refused) throw new Error("refused");
    return answered(() => ({ transaction: (_, mode) => transaction(open.profile, mode) }));
  },
};

function transaction(profile, mode) {
  const changes = new Map();
  const within = (range) =>
    [...profile.stored.keys()].filter((key) => key >= range.first && key <= range.last).sort();
  const one = {
    objectStore: () => ({
      transaction: one,
      getAllKeys: (range) => answered(() => within(range)),
      getAll: (range) => answered(() => within(range).map((key) => structuredClone(profile.stored.get(key)))),
      put(value, key) {
        if (profile.full) throw new DOMException("full", "QuotaExceededError");
        changes.set(key, structuredClone(value));
      },
      delete: (key) => changes.set(key, undefined),
    }),
    commit() {
      work++;
      queueMicrotask(() => {
        for (const [key, value] of changes)
          if (value === undefined) profile.stored.delete(key);
          else profile.stored.set(key, value);
        one.oncomplete();
      });
    },
  };
  assertMode(mode);
  return one;
}

const assertMode = (mode) => {
  if (!["readonly", "readwrite"].includes(mode)) throw new TypeError(`no mode: ${mode}`);
};

function answered(result) {
  const request = {};
  work++;
  queueMicrotask(() => {
    request.result = result();
    request.onsuccess?.();
  });
  return request;
}

class Worker {
  constructor() {
    this.page = open;
    open.worker = this;
    if (open.options.answer) this.#say({ type: "ready", desks: ["code"], version: "0.1.0" });
  }

  #say(message) {
    work++;
    setImmediate(() => this.onmessage?.({ data: message }));
  }

  async postMessage({ type, id, ...question }) {
    if (type !== "ask") return;
    this.page.questions.push(question);
    const answer = await this.page.options.answer?.(question);
    if (answer)
      this.#say({
        id,
        ...(answer.error ? { type: "error", ...answer.error } : { type: "result", ...answer }),
      });
  }

  terminate() {
    this.onmessage = null;
  }
}

class Channel {
  constructor() {
    open.channel = this;
    this.page = open;
  }

  postMessage(entries) {
    this.page.sent.push(...structuredClone(entries));
  }
}

const storageOf = (map) => ({
  getItem: (key) => map().get(key) ?? null,
  setItem: (key, value) => map().set(key, value),
});

const navigator = {
  hardwareConcurrency: 2,
  storage: {
    estimate: async () => ({ usage: 12_345, quota: 1e9 }),
    persisted: async () => open.profile.persistent,
    persist: async () => {
      open.profile.persistRequests++;
      open.profile.persistent = true;
      return true;
    },
  },
  clipboard: {
    async writeText(text) {
      open.profile.clipboard = text;
    },
  },
  canShare: () => true,
  async share(data) {
    open.profile.shared.push(data);
    if (open.profile.shareError) throw new DOMException("gone", open.profile.shareError);
  },
};

const caches = {
  has: async (name) => open.profile.caches.has(name),
  open: async (name) => {
    const cache = open.profile.caches.get(name);
    return { keys: async () => [...cache.keys()], match: async (key) => cache.get(key) };
  },
  delete: async (name) => open.profile.caches.delete(name),
  match: async () => undefined,
};

const [wait, stop] = [globalThis.setTimeout, globalThis.clearTimeout];
const timers = new Set();
const fetched = globalThis.fetch;
Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
Object.defineProperty(globalThis, "location", {
  value: {
    get href() {
      return open.url.href;
    },
    get hash() {
      return open.url.hash;
    },
    set hash(to) {
      open.go(to);
    },
    get search() {
      return open.url.search;
    },
    get pathname() {
      return open.url.pathname;
    },
    reload() {},
  },
});
Object.assign(globalThis, {
  indexedDB,
  caches,
  Worker,
  BroadcastChannel: Channel,
  // Python's files never arrive: the fake worker answers in its place.
  fetch: (resource, ...rest) =>
    /\/pyodide\/|kernel\.wasm/.test(String(resource)) ? new Promise(() => {}) : fetched(resource, ...rest),
  IDBKeyRange: { bound: (first, last) => ({ first, last }) },
  localStorage: storageOf(() => open.profile.settings),
  sessionStorage: storageOf(() => open.session),
  // One entry at most: that of an open dialog.
  history: {
    state: null,
    replaceState: (_, __, to) => open.replace(to),
    pushState(state) {
      this.state = state;
    },
    back() {
      this.state = null;
    },
  },
  addEventListener: (type, run) => open.listen(type, run),
  scrollTo() {},
  setInterval: () => 0, // of the engine's watchdog
  // Short timers run at once, longer ones never.
  setTimeout(run, ms = 0, ...more) {
    if (ms > 1000) return 0;
    const timer = wait(() => {
      timers.delete(timer);
      work++;
      run(...more);
    }, 0);
    timers.add(timer);
    return timer;
  },
  clearTimeout(timer) {
    timers.delete(timer);
    stop(timer);
  },
});
Object.assign(document, {
  hidden: false,
  title: "",
  head: { append: (link) => queueMicrotask(() => link.onload?.()) },
  getElementById: (id) => open.places[id] ?? null,
  querySelectorAll: () => [],
  addEventListener: (type, run) => open.listen(type, run),
});
Object.defineProperty(document, "documentElement", { get: () => open.root });

const { desks } = await import("../../web/desks/index.js");
const { FIRST: sizes } = await import("../../web/engine/download-sizes.js");
sizes["pyodide/runtime.bin"] = 0; // in bytes; the build fills in the sizes
for (const desk of Object.values(desks)) track(desk, "load");
await import("../../web/shell/picture.js");

/**
 * Opens the page at an address and waits until it is at rest.
 * @param {string} address such as "#/code"
 * @param {{profile?: Profile, answer?: (question: any) => any, session?: Map<string, string>}} [options] any: a
 *   question, and `{result}` or `{error}`
 */
export async function visit(address, { profile = new Profile(), session = new Map(), ...options } = {}) {
  open = new Page(address, profile, options);
  open.session = session;
  await import(`../../web/app.js?load=${++loads}`);
  await open.settled();
  return open;
}

/** A row of the code desk. */
export const FIRST = "001111";
/** The number of rows of the code desk. */
export const guesses = (page) => page.all(".guess").length;

/** The code desk with one row. @param {Parameters<typeof visit>[1]} [options] */
export async function typed(options) {
  const page = await visit("#/code", options);
  await page.keys(FIRST, "Enter");
  return page;
}

/** Python's answer to rows pasted on the code desk, such as "0011 1A1B". @param {any} question any: of any desk */
export function reading({ want, options }) {
  if (want !== "paste") return null;
  const clues = options.text.split("\n").flatMap((line) => {
    const [, guess, exact, partial] = /^(\d{4}) (\d)A(\d)B$/.exec(line) ?? [];
    return guess ? [{ guess, exact: Number(exact), partial: Number(partial) }] : [];
  });
  return { result: { clues, bad: [], signs: [] } };
}
