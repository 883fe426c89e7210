/**
 * The page: which desk is open, its history, its questions, and one drawing after every change.
 *
 * Paints and takes input before Python is there; what it draws comes from the position alone, and
 * from whatever answers have arrived.
 */
import { desks } from "./desks/index.js";
import { createEngine } from "./engine/client.js";
import { History } from "./session/history.js";
import { dispatch } from "./session/keys.js";
import * as link from "./session/link.js";
import { keepOffline } from "./session/offline.js";
import { facts, Questions } from "./session/questions.js";
import * as store from "./session/store.js";
import * as shell from "./shell/frame.js";
import { home } from "./shell/home.js";
import { applySettings } from "./shell/menu.js";
import { shareDialog } from "./shell/share.js";
import { html, nothing, render } from "./vendor.js";
import { words } from "./words.js";

/** @typedef {import("./desks/desk.js").DeskPage} DeskPage */
/** @typedef {import("./desks/desk.js").Context} Context */

const engine = createEngine({ onPhase });
const questions = new Questions(engine, onReply);

/** Everything the page shows follows from this. */
const state = {
  desk: "",
  /** @type {DeskPage | null} */ page: null,
  /** @type {History<any> | null} */ history: null,
  /** @type {any} */ view: {},
  /** @type {{name: string, message: string, done: number, total: number | null}} */
  phase: { name: "loading", message: "", done: 0, total: null },
  /** @type {(() => unknown) | null} */ dialog: null,
  /** @type {{text: string, tone: string, action?: {label: string, run: () => void}} | null} */ notice: null,
  fragment: "",
  text: false,
  version: "",
  last: "",
  /** @type {Record<string, DeskPage>} */ pages: {},
  embed: link.query("embed") === "1",
};

/** What the frame's buttons and keys may do. @type {shell.Actions} */
const actions = {
  move,
  share,
  redraw,
  notice,
  open: openDialog,
  go: openFragment,
  retry: () => engine.restart(),
  history: () => state.history,
  mark,
  present,
  reload,
  toggleText,
  savePicture,
  version: () => state.version,
  examples: () => state.page?.examples ?? [],
  example: (position) => state.page && openExample(state.page, position),
  deskKeys: () => (state.page ? state.page.keys(context()) : []),
};

let drawing = false;
let saving = 0;
/** While a desk's files and memory are being fetched, keys wait here. */
let opening = false;
/** @type {KeyboardEvent[]} */
const early = [];
let spoken = "";

start();

async function start() {
  applySettings();
  for (const id of ["top", "desk"]) element(id).replaceChildren();
  if (state.embed) document.documentElement.dataset.embed = "";
  if (!state.embed) listen();
  addEventListener("pagehide", () => save());
  link.follow(go);
  await go(link.current());
  await engine.ready.catch(() => {}); // the copy for later does not compete with the start
  keepOffline({ onUpdate: (apply) => notice(words.update, "", { label: words.updateNow, run: apply }) });
}

/** Keys, and text or files brought from elsewhere; an embedded board is only looked at. */
function listen() {
  addEventListener("keydown", onKey);
  addEventListener("paste", (event) => onText(event.clipboardData?.getData("text/plain"), event));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", onDrop);
}

/** Open what a fragment names; what is typed meanwhile is typed into it. @param {string} fragment */
async function go(fragment) {
  opening = true;
  try {
    await open(fragment);
  } finally {
    opening = false;
    for (const event of early.splice(0)) onKey(event);
  }
}

/** A position, a desk, or the home page. @param {string} fragment */
async function open(fragment) {
  if (fragment === state.fragment && state.page) return;
  const desk = link.deskOf(fragment);
  if (!(desk in desks)) {
    if (fragment.replace(/^#?\/?/, "")) notice(`${words.badLink} ${unknownDesk(fragment)}`, "risk");
    await openHome();
    return;
  }
  try {
    const found = await link.decode(fragment);
    await openDesk(desk, found?.position);
  } catch (problem) {
    await openDesk(desk, undefined);
    notice(`${words.badLink} ${messageOf(problem)} ${words.lastKept}`, "risk");
  }
}

/** @param {string} fragment */
function unknownDesk(fragment) {
  return link.deskOf(fragment)
    ? `There is no desk “${link.deskOf(fragment)}”.`
    : "A link looks like #/code/1/… ; this one does not.";
}

async function openHome() {
  await save();
  questions.clear();
  const last = (await store.recall("last")) ?? "";
  Object.assign(state, { desk: "", page: null, history: null, view: {}, fragment: "#/", last });
  redraw();
  for (const name of Object.keys(desks)) {
    await pageOf(name);
    redraw();
  }
}

/** A desk's page, fetched once. @param {string} name @returns {Promise<DeskPage>} */
async function pageOf(name) {
  const { page } = await desks[name].load();
  state.pages[name] = page;
  return page;
}

/**
 * @param {string} desk
 * @param {any} position from a link, or undefined to go on with what is kept
 */
async function openDesk(desk, position) {
  await save(); // what is open is what will be recalled, or left behind whole
  const [page, kept] = await Promise.all([pageOf(desk), store.recall(`desk.${desk}`)]);
  const linked = position === undefined ? undefined : page.accept(position);
  questions.clear();
  const before = revive(kept, page);
  const history = linked === undefined ? before : (before ?? History.from(page.initial()));
  Object.assign(state, {
    desk,
    page,
    history: history ?? History.from(page.initial()),
    view: kept?.view ?? {},
  });
  if (linked !== undefined && !sameLink(linked, state.history?.position, page)) {
    state.view = {};
    state.history = /** @type {History<any>} */ (state.history).after(freeze(linked), words.linkOpened);
  }
  store.keep("last", desk);
  changed();
}

/** @param {any} a @param {any} b @param {DeskPage} page */
function sameLink(a, b, page) {
  return link.canonical(a, page.defaults) === link.canonical(b, page.defaults);
}

/** @param {any} kept @param {DeskPage} page @returns {History<any> | null} */
function revive(kept, page) {
  if (!Array.isArray(kept?.moments) || !kept.moments.length) return null;
  try {
    const moments = kept.moments.map((/** @type {any} */ moment) => ({
      ...moment,
      position: freeze(page.accept(moment.position)),
    }));
    return new History(moments, kept.at).moved(0);
  } catch {
    return null;
  }
}

/** Positions are values: a desk that tried to change one would get an error. @param {any} value */
function freeze(value) {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}

/** After every change of position or view: ask, write the link, save, draw. */
function changed() {
  ask();
  writeLink();
  saveSoon();
  redraw();
}

function ask() {
  const { page, history, desk } = state;
  if (!page || !history) return;
  /** @type {Record<string, any>} */
  const wanted = {};
  for (const [key, request] of Object.entries(page.wants(history.position, state.view)))
    wanted[key] = { desk, ...request };
  questions.want(wanted);
}

async function writeLink() {
  const { page, history, desk } = state;
  if (!page || !history) return;
  const fragment = await link.encode(desk, history.position, page.defaults);
  if (state.history !== history) return; // a later position is on its way
  state.fragment = fragment;
  link.write(fragment);
}

function saveSoon() {
  clearTimeout(saving);
  saving = window.setTimeout(save, 250);
}

async function save() {
  clearTimeout(saving);
  const { desk, history, view } = state;
  if (!desk || !history || state.embed) return;
  await store.keep(`desk.${desk}`, { moments: history.moments, at: history.at, view });
}

/** @returns {Context} */
function context() {
  const { page, history, desk } = state;
  if (!page || !history) throw new Error("no desk is open");
  return {
    position: history.position,
    view: state.view,
    replies: questions.replies,
    phase: state.phase.name,
    commit(next, label) {
      if (state.embed) return say(words.readOnly);
      state.history = history.after(freeze(next), label);
      changed();
    },
    set(change) {
      state.view = { ...state.view, ...change };
      changed();
    },
    ask(request, onProgress) {
      const job = engine.ask({ desk, ...request }, { onProgress });
      return {
        cancel: job.cancel,
        promise: job.promise.then(
          (r) => r.result,
          (fault) => Promise.reject(facts(fault)),
        ),
      };
    },
    stop: (key) => questions.stop(key),
    again: (key) => questions.again(key),
    say,
    tell: (text) => notice(text, ""),
    open: openDialog,
    redraw,
  };
}

/** @param {(() => unknown) | null} draw */
function openDialog(draw) {
  state.dialog = draw;
  redraw();
}

/** @param {number} steps */
function move(steps) {
  const { history } = state;
  if (!history) return;
  const label = steps < 0 ? history.undoLabel : history.redoLabel;
  if (steps < 0 ? !history.canUndo : !history.canRedo) {
    say(words.nothingToUndo);
    return;
  }
  state.history = history.moved(steps);
  say(steps < 0 ? words.undone(label) : words.redone(label));
  changed();
}

/** One drawing a frame at most. */
function redraw() {
  if (drawing) return;
  drawing = true;
  queueMicrotask(() => {
    drawing = false;
    draw();
  });
}

function draw() {
  render(shell.top(state, actions), element("top"));
  render(shell.bottom(state), element("bottom"));
  render(shell.layer(state, actions), element("layer"));
  document.title =
    state.page && state.history ? `${state.page.title(state.history.position)} · ${words.name}` : words.name;
  drawDesk();
}

function drawDesk() {
  const place = element("desk");
  if (!state.page || !state.history) {
    const { pages, last } = state;
    place.dataset.desk = "";
    render(home({ pages, last, onText: openAnything, onExample: openExample }), place);
    return;
  }
  place.dataset.desk = state.desk;
  try {
    const now = context();
    const lines = state.text ? (state.page.describe?.(now) ?? []) : null;
    render(
      html`${lines ? shell.textView(lines) : nothing}${state.page.draw(now)}${state.embed ? shell.embedFoot(link.address(state.fragment)) : nothing}`,
      place,
    );
  } catch (problem) {
    console.error(problem);
    notice(`${words.drawFailed} ${messageOf(problem)}`, "risk");
    if (state.history.canUndo) state.history = state.history.moved(-1);
    else state.history = History.from(state.page.initial());
    state.view = {};
    changed();
  }
}

/** @param {string} fragment */
function openFragment(fragment) {
  link.write(fragment);
  go(fragment);
}

/** @param {any} position @returns {Promise<string>} the whole address of a position of the open desk */
async function addressOf(position) {
  return link.address(await link.encode(state.desk, position, state.page?.defaults));
}

async function share() {
  const { page, history } = state;
  if (!page || !history) return;
  const position = page.shared ? page.shared(history.position) : history.position;
  const bare = page.fresh?.(position);
  const address = await addressOf(position);
  const fresh = bare ? await addressOf(bare) : null;
  const secret = position === history.position ? null : await addressOf(history.position);
  openDialog(() => shareDialog({ address, fresh, secret, kind: "mine" }, actions));
}

/** The open position as it would be put on the shelf. */
async function present() {
  const { page, history, desk } = state;
  if (!page || !history) return null;
  const fragment = await link.encode(desk, history.position, page.defaults);
  return { desk, name: page.title(history.position), fragment };
}

/** @param {string} name */
function mark(name) {
  if (!state.history) return;
  state.history = state.history.marked(name);
  saveSoon();
  notice(words.marked(name));
}

/** Start anew from what is kept: nothing of the open desk may be written over it. */
function reload() {
  const desk = state.desk;
  Object.assign(state, { desk: "", page: null, history: null });
  link.write(`#/${desk}`);
  link.reload();
}

function toggleText() {
  state.text = !state.text;
  redraw();
}

/** The board as an SVG and a PNG file. */
async function savePicture() {
  const { page, history } = state;
  if (!page || !history) return;
  const { savePictures } = await import("./shell/picture.js");
  const drawn = page.picture ? page.picture(context()) : null;
  const saved = await savePictures(page.title(history.position), drawn, element("desk"));
  if (!saved) notice(words.noPicture);
}

/** A pasted text opens the desk that knows it. @param {string} text */
async function openAnything(text) {
  if (/#\/[a-z]+\/\d+\//.test(text)) return openFragment(text.slice(text.indexOf("#")).trim());
  for (const name of Object.keys(desks)) {
    const page = await pageOf(name);
    if (!page.recognises?.(text)) continue;
    link.write(`#/${name}`);
    await go(`#/${name}`);
    page.paste?.(text, context());
    return undefined;
  }
  notice(words.pasteUnknown);
  return undefined;
}

/** @param {DeskPage} page @param {any} position */
async function openExample(page, position) {
  openFragment(await link.encode(page.name, position, page.defaults));
}

/** @param {string} text @param {string} tone @param {{label: string, run: () => void}} [action] */
function notice(text, tone = "", action = undefined) {
  state.notice = text ? { text, tone, action } : null;
  redraw();
  if (!text || tone === "risk" || action) return;
  const mine = state.notice;
  setTimeout(() => {
    if (state.notice === mine) notice("");
  }, 5000);
}

/** Speak to screen readers. @param {string} text */
function say(text) {
  const place = element("live");
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}

/** Once everything asked has been answered, the first sentence of the result is spoken. */
function onReply() {
  redraw();
  const { page, history } = state;
  if (!page?.describe || !history || Object.values(questions.replies).some((r) => r.state === "waiting"))
    return;
  const line = page.describe(context())[0] ?? "";
  if (line !== spoken) say(line);
  spoken = line;
}

/** @param {any} phase */
async function onPhase(phase) {
  state.phase = phase;
  if (phase.name === "ready") state.version = (await engine.ready).version;
  redraw();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (state.dialog) return;
  if (opening) {
    early.push(event);
    return;
  }
  dispatch(event, [...actions.deskKeys(), ...shell.keys(actions)]);
}

/** @param {DragEvent} event */
async function onDrop(event) {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  const text = file ? await file.text() : event.dataTransfer?.getData("text/plain");
  onText(text, null);
}

/** @param {string | undefined} text @param {ClipboardEvent | null} event */
function onText(text, event) {
  if (!text || state.dialog) return;
  if (event?.target instanceof Element && event.target.closest("input, textarea")) return;
  event?.preventDefault();
  const isLink = /#\/[a-z]+\/\d+\//.test(text);
  if (isLink || !state.page?.paste?.(text, context())) openAnything(text);
}

/** @param {string} id */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @param {unknown} problem */
function messageOf(problem) {
  return problem instanceof Error ? problem.message : String(problem);
}
