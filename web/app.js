/**
 * The page: which desk is open, its history, its questions, and one drawing after every change.
 *
 * Paints and takes input before Python is there; what it draws comes from the position alone, and
 * from whatever answers have arrived. The one file where all parts meet, hence its length.
 */
import { desks, dress } from "./desks/index.js";
import { createEngine } from "./engine/client.js";
import { whyNotRun } from "./engine/download.js";
import { History } from "./session/history.js";
import { Keeping } from "./session/keeping.js";
import { dispatch } from "./session/keys.js";
import * as link from "./session/link.js";
import { later } from "./session/moments.js";
import { hearOfUpdates, keepOffline } from "./session/offline.js";
import { facts, Questions } from "./session/questions.js";
import { freeze, samePosition } from "./session/revive.js";
import * as store from "./session/store.js";
import { tabs } from "./session/tabs.js";
import { complete } from "./shape.js";
import { adviceFoot, narrow } from "./shell/advice.js";
import { carrying } from "./shell/carry.js";
import * as shell from "./shell/frame.js";
import { home } from "./shell/home.js";
import { applySettings } from "./shell/menu.js";
import { supposeLine } from "./shell/steps.js";
import { html, nothing, render } from "./vendor.js";
import { say } from "./widgets/live.js";
import { words } from "./words.js";

/** @typedef {import("./desks/desk.js").DeskPage} DeskPage */
/** @typedef {import("./desks/desk.js").Context} Context */

const engine = createEngine({ onPhase });
const questions = new Questions(engine, onReply);
const others = tabs(onNews);
const keeping = new Keeping(store, others.tell);

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
  /** The home page is what is open, not merely no desk yet. */ home: false,
  text: false,
  version: "",
  last: "",
  /** @type {Record<string, DeskPage>} */ pages: {},
  embed: link.query("embed") === "1",
};

/** What the frame's buttons and keys may do. @type {shell.Actions} */
const actions = {
  move,
  jump,
  suppose,
  comeBack,
  games: () => (state.page ? keeping.games(state.desk, state.page) : Promise.resolve([])),
  openGame,
  newGame,
  renameGame(game, name) {
    store.askToStay();
    return keeping.rename(state.desk, game, name);
  },
  wipe,
  removeGame,
  thumbnail,
  titleOf: (position) => state.page?.title(position) ?? "",
  redraw,
  notice,
  brought,
  toggleText,
  open: openDialog,
  go: (fragment) => carry.openFragment(fragment),
  share: () => carry.share(),
  present: () => carry.present(),
  savePicture: () => carry.savePicture(),
  example: (position) => state.page && carry.openExample(state.page, position),
  examples: () => state.page?.examples ?? [],
  retry: () => engine.restart(),
  history: () => state.history,
  version: () => state.version,
  guide: () => (state.desk ? `docs/guide-${state.desk}.html` : "docs/index.html"),
  deskKeys: () => (state.page ? state.page.keys(context()) : []),
  shellKeys: () => shell.keys(actions),
};
const carry = carrying(state, { actions, context, go, pageOf });

let drawing = false;
/** What waits for the next drawing: a part that takes the focus must be there. @type {(() => void)[]} */
const drawn = [];
let saving = 0;
/** @type {History<any> | null} the history that was last given to be kept */
let given = null;
/** While a desk's files and memory are being fetched, keys wait here. */
let opening = 0;
let going = Promise.resolve();
/** @type {KeyboardEvent[]} */
const early = [];
let spoken = "";
let warned = false;
/** @type {any} the position that the address holds */
let written = null;

start();

async function start() {
  applySettings();
  narrow.addEventListener("change", redraw);
  element("top").replaceChildren();
  if (state.embed) document.documentElement.dataset.embed = "";
  if (!state.embed) listen();
  addEventListener("pagehide", () => save());
  document.addEventListener("visibilitychange", () => document.hidden || reread());
  link.follow(go);
  hearOfUpdates(onUpdate);
  const shared = state.embed ? "" : link.takeShared();
  await go(link.current());
  if (shared) await carry.openText(shared);
  takeLaunched();
  await engine.ready.catch(() => {}); // the copy for later does not compete with the start
  keepOffline({ onUpdate });
}

/** @param {() => void} apply @param {boolean} elsewhere another tab has applied it */
function onUpdate(apply, elsewhere) {
  notice(elsewhere ? words.updateElsewhere : words.update, "", { label: words.updateNow, run: apply });
}

/** Files that the system opens with the installed app. */
function takeLaunched() {
  /** @type {any} not in every browser */ (globalThis).launchQueue?.setConsumer(
    async (/** @type {{files: {getFile: () => Promise<File>}[]}} */ { files = [] }) => {
      for (const one of files) await carry.openFile(await one.getFile());
    },
  );
}

/** Keys, and text or files brought from elsewhere; an embedded board is only looked at. */
function listen() {
  addEventListener("keydown", onKey);
  addEventListener("paste", onPaste);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", onDrop);
}

/** Open what a fragment names, one after another; what is typed meanwhile is typed into it. @param {string} fragment @returns {Promise<void>} */
function go(fragment) {
  opening += 1;
  going = going
    .then(() => open(fragment))
    .catch(async (problem) => {
      if (!state.page) await openHome();
      notice(messageOf(problem), "risk");
    })
    .finally(() => {
      opening -= 1;
      if (!opening) for (const event of early.splice(0)) onKey(event);
    });
  return going;
}

/** A position, a desk, or the home page. @param {string} fragment */
async function open(fragment) {
  if (fragment === state.fragment && state.page) return;
  scrollTo(0, 0); // another page begins at its top
  const desk = link.deskOf(fragment);
  if (!Object.hasOwn(desks, desk)) {
    if (fragment.replace(/^#?\/?/, "")) notice(`${words.badLink} ${link.whyUnknown(fragment)}`, "risk");
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

async function openHome() {
  await save();
  questions.clear();
  const last = (await store.recall("last")) ?? "";
  Object.assign(state, { desk: "", page: null, history: null, view: {}, fragment: "#/", home: true, last });
  dress("");
  document.documentElement.dataset.saved = "current";
  redraw();
  for (const name of Object.keys(desks)) {
    await pageOf(name).catch(() => {}); // who opens it is told
    redraw();
  }
}

/** A desk's page, fetched once; it takes positions of its shape only, with every default filled in. @param {string} name @returns {Promise<DeskPage>} */
async function pageOf(name) {
  try {
    const { page } = await desks[name].load();
    state.pages[name] ??= {
      ...page,
      initial: () => page.accept(complete(name, page.initial())),
      accept: (position) => page.accept(complete(name, position)),
    };
    return state.pages[name];
  } catch (problem) {
    throw new Error((await whyNotRun(`desks/${name}/page.js`)) || messageOf(problem));
  }
}

/**
 * @param {string} desk
 * @param {any} position from a link, or undefined to go on with what is kept
 */
async function openDesk(desk, position) {
  await save(); // what is open is what will be recalled, or left behind whole
  const soon = pageOf(desk);
  const [page, kept] = await Promise.all([soon, keeping.open(desk, soon)]);
  if (kept.aside) notice(words.setAside(kept.aside), "risk");
  const linked = position === undefined ? undefined : page.accept(position);
  questions.clear();
  dress(desk);
  engine.prepare(desk);
  const opened = { history: kept.history ?? History.begin(desk, freeze(page.initial())), view: kept.view };
  const apart = linked !== undefined && !samePosition(desk, linked, opened.history.position);
  const shown = apart ? await linkedGame(page, opened, freeze(linked)) : opened;
  Object.assign(state, { desk, page, home: false, ...shown });
  store.keep("last", desk);
  changed();
}

/**
 * A link is a game of its own, or a kept game that stands there; what was open stays in its game.
 * @param {DeskPage} page @param {{history: History<any>, view: any}} opened @param {any} position
 */
async function linkedGame(page, { history, view }, position) {
  const games = await keeping.games(page.name, page);
  const same = games.find((one) => samePosition(page.name, one.position, position));
  await keeping.leave(history, view);
  const next = same && (await keeping.openGame(page.name, same.game, page));
  if (games.length && !next) notice(words.gameKept);
  return { history: next ?? History.begin(page.name, position, words.linkOpened), view: {} };
}

/** @typedef {Parameters<Context["commit"]>[2]} Known */
let due = false;
/** @type {Known} an answer that came along with the change */
let along;

/** After a change of position or view. What one click changes in several steps is one round. @param {Known} [known] */
function changed(known) {
  along = known ?? along;
  if (due) return;
  due = true;
  queueMicrotask(round);
}

/** Ask, write the link, save, draw: at the end of a click, or before the drawing that would show it. */
function round() {
  if (!due) return;
  due = false;
  const known = along;
  along = undefined;
  try {
    ask(known);
  } catch (problem) {
    instead(problem);
  }
  writeLink();
  saveSoon();
  redraw();
}

/** @param {Known} [known] */
function ask(known) {
  const { page, history, desk } = state;
  if (!page || !history) return;
  /** @type {Record<string, any>} */
  const wanted = {};
  for (const [key, request] of Object.entries(page.wants(history.position, state.view)))
    wanted[key] = { desk, ...request };
  questions.want(wanted, known && { ...known, request: { desk, ...known.request } });
}

/** The address follows a moment later; until it does, the page says that it is behind. */
async function writeLink() {
  const { page, history, desk } = state;
  if (!page || !history) return;
  const there = history.position === written && link.current() === state.fragment;
  document.documentElement.dataset.address = there ? "current" : "behind";
  if (there) return;
  const fragment = await link.encode(desk, history.position);
  if (state.history?.position !== history.position) return; // a later position is on its way
  state.fragment = fragment;
  written = history.position;
  link.write(fragment);
  document.documentElement.dataset.address = "current";
}

/** A step is kept at once; a view that changes with every key a moment later. */
function saveSoon() {
  document.documentElement.dataset.saved = state.embed ? "current" : "behind"; // a board to look at keeps nothing
  clearTimeout(saving);
  if (state.history !== given) save();
  else saving = window.setTimeout(save, 250);
}

async function save() {
  clearTimeout(saving);
  const { desk, history, view } = state;
  if (!desk || !history || state.embed) return;
  given = history;
  const kept = await keeping.keep(history, view);
  if (state.history === history && state.view === view)
    document.documentElement.dataset.saved = kept ? "current" : "refused";
  if (kept || warned) return;
  warned = true;
  notice(words.storageOff, "", { label: words.understood, run: () => notice("") });
}

/** What another tab did in the open game is a branch here too; the board stays where it is. @param {[string, any][]} entries */
function onNews(entries) {
  const { page, history } = state;
  if (!page || !history || state.embed) return;
  const next = keeping.heard(history, entries, page);
  if (!next) return;
  state.history = next;
  if (given === history) given = next;
  const newest = [...next.tree.values()].reduce((a, b) => (later(b, a) ? b : a));
  if (history.tree.has(newest.id)) return redraw();
  notice(words.otherTab(newest.label), "", { label: words.goThere, run: () => jump(newest.id) });
}

/** A tab that slept may have missed what others told. */
async function reread() {
  const { history } = state;
  if (history && !state.embed) onNews(await keeping.kept(history));
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
    readOnly: state.embed,
    commit(next, label, known) {
      if (state.embed) return say(words.readOnly);
      // An answer may come late: it is a step after what has been done meanwhile, or nobody's.
      if (state.desk !== desk || !state.history) return undefined;
      state.history = state.history.after(freeze(next), label);
      return changed(known);
    },
    set(change, then) {
      if (state.desk !== desk) return;
      state.view = { ...state.view, ...change };
      if (then) drawn.push(then);
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
    open: (draw) => !state.embed && openDialog(draw),
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

/** @param {string} id of any moment of the open game */
function jump(id) {
  notice("");
  const next = state.history?.to(id);
  if (!next || next.present === state.history?.present) return;
  state.history = next;
  changed();
}

/** The next step begins a branch that only tries something. @param {string} name */
function suppose(name) {
  if (!state.history) return;
  state.history = state.history.supposing(name);
  say(words.supposes(name));
  redraw();
}

/** From what is being tried back to the game. */
function comeBack() {
  if (!state.history) return;
  state.history = state.history.returned();
  changed();
}

/** @param {string} game */
async function openGame(game) {
  const { desk, page, history, view } = state;
  if (!page || !history || game === history.present.game) return;
  await save();
  await keeping.leave(history, view);
  const next = await keeping.openGame(desk, game, page);
  if (next && state.history === history) show(next);
}

/** The rules stay, what was done stays in its own game. */
async function newGame() {
  const { desk, page, history, view } = state;
  if (!page || !history) return;
  await save();
  await keeping.leave(history, view);
  const position = page.anew ? page.accept(page.anew(history.position)) : page.initial();
  if (state.history === history) show(History.begin(desk, freeze(position)));
}

/** Another game instead of the open one. @param {History<any>} history */
function show(history) {
  questions.clear();
  Object.assign(state, { history, view: {} });
  changed();
}

/** A removed game can be brought back as long as the notice stands. @param {string} game @param {string} name */
async function removeGame(game, name) {
  if (game === state.history?.present.game) await newGame();
  const gone = await keeping.remove(state.desk, game);
  notice(words.gameRemoved(name), "", {
    label: words.undo,
    run: () => keeping.restore(gone).then(() => notice("")),
  });
}

/** The board of a position in small. @param {any} position */
function thumbnail(position) {
  const { page } = state;
  try {
    return page?.picture?.({ ...context(), position, view: {}, replies: {} }) ?? page?.mini?.() ?? nothing;
  } catch {
    return nothing;
  }
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
  round(); // what is drawn is drawn with the questions that belong to it
  render(shell.top(state, actions), element("top"));
  render(shell.bottom(state), element("bottom"));
  render(shell.layer(state, actions), element("layer"));
  drawDesk();
  for (const run of drawn.splice(0)) run();
}

function drawDesk() {
  const place = element("desk");
  if (!state.home && !state.page) return; // what is being opened is not there yet
  document.getElementById("laying")?.remove();
  if (!state.page || !state.history) {
    const { pages, last } = state;
    place.dataset.desk = "";
    document.title = words.name;
    render(home({ pages, last, onText: carry.openText, onExample: carry.openExample, onPictures: carry.openPictures }), place);
    return;
  }
  place.dataset.desk = state.desk;
  try {
    const now = context();
    document.title = `${state.page.title(state.history.position)} · ${words.name}`;
    const lines = state.text ? (state.page.describe?.(now) ?? []) : null;
    render(
      html`${supposeLine(state.history, actions)}${lines ? shell.textView(lines) : nothing}${state.page.draw(now)}${adviceFoot(state.page, context, openDialog)}${state.embed ? shell.embedFoot(link.address(state.fragment)) : nothing}`,
      place,
    );
  } catch (problem) {
    console.error(problem);
    instead(problem);
  }
}

/** A drawing failed: without what was being looked at, then the step before, then a new game. @param {unknown} problem */
function instead(problem) {
  const { history, page, desk } = state;
  if (!history || !page) return;
  notice(`${words.drawFailed} ${messageOf(problem)}`, "risk");
  if (!Object.keys(state.view).length)
    state.history = history.canUndo ? history.moved(-1) : History.begin(desk, freeze(page.initial()));
  state.view = {};
  changed();
}

/** Forget everything: the open desk begins anew. */
async function wipe() {
  const { desk } = state;
  clearTimeout(saving);
  Object.assign(state, { desk: "", page: null, history: null });
  keeping.written.clear();
  await store.wipe();
  if (desk) await openDesk(desk, undefined);
  else redraw();
}

/** Records came from a file: they join what is open; who has done nothing yet goes where the file was. @param {[string, any][]} news */
async function brought(news) {
  others.tell(news);
  const { desk, history } = state;
  if (!history) return redraw();
  if (history.tree.size > 1) return onNews(news);
  Object.assign(state, { desk: "", page: null, history: null });
  return openDesk(desk, undefined);
}

function toggleText() {
  state.text = !state.text;
  redraw();
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
  dispatch(event, [shell.helpKey(actions), ...actions.deskKeys(), ...actions.shellKeys()]);
}

/** @param {DragEvent} event */
async function onDrop(event) {
  event.preventDefault();
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!files.length) onText(event.dataTransfer?.getData("text/plain"), null);
  else if (!state.dialog && !(await carry.openPictures(files))) await carry.openFile(files[0]);
}

/** A copied picture, or text. @param {ClipboardEvent} event */
async function onPaste(event) {
  const text = event.clipboardData?.getData("text/plain");
  const files = [...(event.clipboardData?.files ?? [])];
  if (text || !files.length || state.dialog) onText(text, event);
  else await carry.openPictures(files);
}

/** @param {string | undefined} text @param {ClipboardEvent | null} event */
function onText(text, event) {
  if (!text || state.dialog) return;
  if (event?.target instanceof Element && event.target.closest("input, textarea")) return;
  event?.preventDefault();
  carry.openText(text);
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
