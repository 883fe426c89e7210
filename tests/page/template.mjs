/**
 * Lit templates without a browser: `draw(template)` gives a tree of elements that can be searched by
 * selector or by role and name, read as text, and pressed.
 *
 * Importing this module defines the few globals that some of the page's modules use while they are
 * loaded. So import those after it, with `await import(…)`. Layout, focus and the canvas do not exist
 * here: test those in a browser.
 */

const VOID = new Set(["area", "br", "hr", "img", "input", "link", "meta", "source"]);
const BLOCK =
  /^(?:[dou]l|d[dt]|h[1-6]|t[drh]|li|p|br|div|section|header|button|summary|label|option|select)$/;
const MARK = "\ufffc"; // where a value stands in a template
const PIECE = /<!--[\s\S]*?-->|<(\/?)([a-zA-Z][\w-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)>|[^<]+|</g;
const ATTRIBUTE = /([^\s=\ufffc/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s]+))?|\ufffc/g;
const ROLES = {
  button: "button, summary, [role=button]",
  checkbox: "input[type=checkbox]",
  combobox: "select",
  dialog: "dialog",
  group: "[role=group], fieldset",
  heading: "h1, h2, h3, h4",
  link: "a",
  region: "section[aria-label], [role=region]",
  textbox: "textarea, input",
};

/** An element of a drawn template, with the interface of a DOM element that handlers use. */
export class Drawn {
  constructor(tag = "", parent = null) {
    this.tag = tag;
    this.parent = parent;
    this.attributes = {};
    /** values of `.name=${…}`, and what a test typed or checked */
    this.properties = {};
    this.listeners = {};
    this.children = [];
  }

  /** The text as a person reads it: one space between words, blocks spaced. */
  get text() {
    return plain(written(this, () => true));
  }

  get tagName() {
    return this.tag.toUpperCase();
  }

  get dataset() {
    const names = Object.keys(this.attributes).filter((name) => name.startsWith("data-"));
    const short = (name) => name.slice(5).replace(/-(.)/g, (_, c) => c.toUpperCase());
    return Object.fromEntries(names.map((name) => [short(name), this.attributes[name]]));
  }

  get classList() {
    return (this.attributes.class ?? "").split(/\s+/).filter(Boolean);
  }

  get value() {
    return this.properties.value ?? this.attributes.value ?? (this.tag === "textarea" ? this.text : "");
  }

  set value(text) {
    this.properties.value = text;
  }

  get checked() {
    return Boolean(this.properties.checked ?? "checked" in this.attributes);
  }

  get disabled() {
    return "disabled" in this.attributes;
  }

  get open() {
    return this.properties.open ?? "open" in this.attributes;
  }

  /** The accessible name, with one space between elements. */
  get name() {
    if (this.attributes["aria-label"]) return this.attributes["aria-label"];
    const spoken = (one) => one.attributes["aria-hidden"] !== "true";
    const field = ["input", "textarea", "select"].includes(this.tag);
    const label = field ? this.closest("label") : null;
    const text = label
      ? written(label, (one) => spoken(one) && one !== this, true)
      : written(this, spoken, true);
    return plain(text) || this.attributes.title || this.attributes.placeholder || "";
  }

  getAttribute(name) {
    return this.attributes[name] ?? null;
  }

  matches(selector) {
    return selector.split(/\s*,\s*/).some((one) => fits(this, one.trim().split(/\s+(?:>\s+)?/)));
  }

  closest(selector) {
    return this.matches(selector) ? this : (this.parent?.closest(selector) ?? null);
  }

  /** All matching descendants, in document order. */
  all(selector) {
    return this.children.flatMap((one) =>
      typeof one === "string" ? [] : [...(one.matches(selector) ? [one] : []), ...one.all(selector)],
    );
  }

  /** The only matching descendant; throws if there is none or several. */
  one(selector) {
    const found = this.all(selector);
    if (found.length === 1) return found[0];
    throw new Error(`${found.length} elements match ${selector} in: ${this.text.slice(0, 400)}`);
  }

  /**
   * The only descendant of a role with this name; a string is the whole name.
   * @param {keyof typeof ROLES} role @param {string | RegExp} [name]
   */
  role(role, name = /(?:)/) {
    const every = this.all(ROLES[role]);
    const found = every.filter((one) => (typeof name === "string" ? one.name === name : name.test(one.name)));
    if (found.length === 1) return found[0];
    const others = every.map((one) => one.name).join(" | ");
    throw new Error(`${found.length} of role ${role} are called ${name}. There are: ${others}`);
  }

  querySelector(selector) {
    return this.all(selector)[0] ?? null;
  }

  querySelectorAll(selector) {
    return this.all(selector);
  }

  /** Calls the listeners of an event here and, if it bubbles, of all ancestors. */
  dispatch(type, facts = {}, bubbles = true) {
    let stopped = false;
    const event = {
      type,
      target: this,
      preventDefault() {},
      stopPropagation: () => {
        stopped = true;
      },
      ...facts,
    };
    for (let at = this; at && !stopped; at = bubbles ? at.parent : null)
      at.listeners[type]?.({ ...event, currentTarget: at });
  }

  /** Clicks the element; a submit button also submits its form. */
  press() {
    if (this.disabled) throw new Error(`${this.name} is disabled.`);
    this.dispatch("click");
    const form = this.closest("form");
    if (form && this.tag === "button" && (this.attributes.type ?? "submit") === "submit")
      form.dispatch("submit");
  }

  /** Closes a dialog. */
  close() {
    this.dispatch("close", {}, false);
  }

  /** Saves the file of a download link. */
  click() {
    if (this.download) downloads.push({ name: this.download, blob: blobs.get(this.href) });
  }

  append() {}
  remove() {}
  focus() {}
  blur() {}
}

/** The saved files, the newest last. */
export const downloads = [];
const blobs = new Map();
URL.createObjectURL = (blob) => {
  blobs.set(`blob:${blobs.size}`, blob);
  return `blob:${blobs.size - 1}`;
};
const timer = globalThis.setTimeout;
globalThis.setTimeout = (run, ms, ...rest) => {
  const set = timer(run, ms, ...rest);
  if (ms > 10_000) set.unref(); // clean-up long after a download does not delay the tests
  return set;
};

const plain = (text) => text.replace(/[\s\u200b]+/g, (s) => (/^\u202f+$/.test(s) ? s : " ")).trim();

/** The text of the children that `shown` accepts; `spaced`: a space around every element. */
function written(element, shown, spaced = false) {
  return element.children
    .map((one) => {
      if (typeof one === "string") return one;
      if (!shown(one)) return "";
      const text = written(one, shown, spaced);
      const block = BLOCK.test(one.tag) && one.attributes.class !== "term"; // an explained word stands in its line
      return spaced || block ? ` ${text} ` : text;
    })
    .join("");
}

/** Whether an element matches the last compound selector, and its ancestors the others. */
function fits(element, compounds) {
  const last = compounds.at(-1);
  if (!element.tag || !fitsOne(element, last)) return false;
  if (compounds.length === 1) return true;
  for (let at = element.parent; at; at = at.parent) if (fits(at, compounds.slice(0, -1))) return true;
  return false;
}

/** `tag.class[name=value]:not(…)` */
function fitsOne(element, compound) {
  const parts = compound.matchAll(
    /:not\(([^)]*)\)|\[([\w-]+)(?:=(?:"([^"]*)"|([^\]]*)))?\]|\.([\w-]+)|([\w-]+|\*)/g,
  );
  for (const [, not, attribute, quoted, bare, name, tag] of parts) {
    const value = quoted ?? bare;
    if (not !== undefined && fitsOne(element, not)) return false;
    if (attribute && !(attribute in element.attributes)) return false;
    if (attribute && value !== undefined && element.attributes[attribute] !== value) return false;
    if (name && !element.classList.includes(name)) return false;
    if (tag && tag !== "*" && tag !== element.tag) return false;
  }
  return true;
}

/** Draws a template, or anything else that lit renders. */
export function draw(value) {
  const root = new Drawn();
  append(root, value);
  return root;
}

function append(parent, value) {
  if (value === null || value === undefined || typeof value === "symbol") return;
  if (typeof value !== "object") parent.children.push(String(value));
  else if (value._$litDirective$) append(parent, directed(value));
  else if (value.strings) build(parent, value);
  else for (const one of value) append(parent, one);
}

/** The value of a directive: `repeat(items, key, draw)` or `live(value)`; `ref` has none. */
function directed({ values: [first, key, drawn] }) {
  if (typeof first === "function") return undefined;
  return key ? [...first].map(drawn ?? key) : first;
}

function build(root, { strings, values }) {
  let at = 0;
  let open = root;
  const next = () => values[at++];
  for (const [piece, closing, tag, attributes] of strings.join(MARK).matchAll(PIECE)) {
    if (piece.startsWith("<!--")) at += piece.split(MARK).length - 1;
    else if (!tag)
      piece.split(MARK).forEach((text, i) => {
        if (i) append(open, next());
        if (text) open.children.push(text.replaceAll("&nbsp;", "\u00a0").replaceAll("&amp;", "&"));
      });
    else if (closing) {
      if (open.tag !== tag) throw new Error(`</${tag}> closes <${open.tag}> in ${strings.join("…")}`);
      open = open.parent;
    } else {
      const element = new Drawn(tag, open);
      open.children.push(element);
      for (const [whole, name, text = ""] of attributes.matchAll(ATTRIBUTE))
        if (whole === MARK) next();
        else assign(element, name, text.replace(/^(["'])([\s\S]*)\1$/, "$2"), next);
      if (!VOID.has(tag) && !attributes.endsWith("/")) open = element;
    }
  }
}

function assign(element, name, text, next) {
  const value = text === MARK ? unwrapped(next()) : null;
  if (name[0] === "@") element.listeners[name.slice(1)] = value;
  else if (name[0] === ".") element.properties[name.slice(1)] = text === MARK ? value : filled(text, next);
  else if (name[0] === "?") {
    if (value) element.attributes[name.slice(1)] = "";
  } else if (text !== MARK) element.attributes[name] = filled(text, next);
  else if (typeof value !== "symbol") element.attributes[name] = String(value ?? "");
}

const filled = (text, next) =>
  text.split(MARK).reduce((sofar, part) => {
    const value = unwrapped(next());
    return sofar + (typeof value === "symbol" ? "" : String(value ?? "")) + part;
  });

const unwrapped = (value) => (value?._$litDirective$ ? directed(value) : value);

/** The result of every media query: `matches = true` is a phone, where the advice is a bar. */
export const media = { matches: false, addEventListener() {} };
/** The part of `document` that the page's modules use while they are loaded or drawn. */
const page = {
  documentElement: { dataset: {} },
  body: new Drawn("body"),
  activeElement: null,
  addEventListener() {},
  createElement: (tag) => new Drawn(tag),
  createTreeWalker: () => ({}),
  createComment: () => ({}),
  getElementById: () => null,
  querySelector: () => null,
};
Object.assign(globalThis, {
  document: page,
  window: globalThis,
  location: { hash: "", search: "", pathname: "/", href: "https://example.org/" },
  history: { replaceState: (_, __, to) => move(to) },
  matchMedia: () => media,
  customElements: { get: () => true, define() {} },
  Element: Drawn,
  HTMLElement: Drawn,
  SVGElement: class {},
  HTMLDialogElement: class {},
  requestAnimationFrame: (run) => setTimeout(run, 0),
  scrollTo() {},
});

function move(to) {
  const { location } = globalThis;
  location.hash = to;
  location.href = location.href.replace(/#.*$/, "") + to;
}
