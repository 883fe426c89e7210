/**
 * The page: connects its parts and handles keys, pasted text, files and messages of other tabs.
 *
 * It draws and accepts input before Python has started: drawings depend only on the position and on the
 * answers received so far.
 */
import { desks } from "./desks/index.js";
import type { Phase } from "./engine/client.js";
import { createEngine } from "./engine/client.js";
import { dispatch } from "./session/keys.js";
import * as link from "./session/link.js";
import { keepOffline, lookForUpdate, takeReceived, watchUpdates } from "./session/offline.js";
import { GameStorage } from "./session/persistence.js";
import { Questions } from "./session/questions.js";
import * as store from "./session/store.js";
import { applySettings, tabs } from "./session/store.js";
import { narrow, senderAdvice, senderSpoken, toggleSmallWindow } from "./shell/advice.js";
import type { Notice, Shell } from "./shell/context.js";
import { announce, contextOf, firstState } from "./shell/context.js";
import { Games } from "./shell/games.js";
import * as frame from "./shell/header.js";
import { thumbnail, titleText } from "./shell/home.js";
import { importExport } from "./shell/import-export.js";
import { Opening } from "./shell/open-link.js";
import { element, followSkipLink, isAsked, Screen } from "./shell/screen.js";
import { UpdateScheduler } from "./shell/updates.js";
import { words } from "./strings.js";
import { resultSpoken } from "./widgets/advice-bar.js";

const state = firstState();
const engine = createEngine({ onPhase, lazy: true });
const questions = new Questions(engine, onReply);
const others = tabs((entries) => games.merge(entries));
const gameStorage = new GameStorage(store, others.broadcast);
const context = () => contextOf(state, shell);
const redraw = () => screen.redraw();
const shell = {
  engine,
  questions,
  gameStorage,
  context,
  redraw,
  open,
  notice,
  onKey,
  afterDrawing: (run) => screen.afterDrawing(run),
  async lookForUpdate() {
    await offline();
    await lookForUpdate(onUpdate);
  },
} as Shell; // with the parts below
const screen = new Screen(state, shell);
const updates = new UpdateScheduler(state, shell);
const opening = new Opening(state, shell);
const games = new Games(state, shell);

/** Actions of the frame's buttons and keys. */
const actions: frame.Actions = {
  games,
  get transfer() {
    return transfer;
  },
  thumbnail: (position) => thumbnail(state.page, position),
  titleOf: (position) => (state.page ? titleText(state.page, position) : ""),
  redraw,
  notice,
  toggleText() {
    state.text = !state.text;
    redraw();
  },
  open,
  small: () => void toggleSmallWindow(onKey, redraw),
  example: (position) => state.page && transfer.openExample(state.page, position),
  examples: () => state.page?.examples ?? [],
  retry: () => engine.restart(),
  history: () => state.history,
  version: () => state.version,
  guide: () => (state.desk ? `docs/guide-${state.desk}.html` : "docs/index.html"),
  act() {
    const { run, off } = state.page?.bar?.(context()).act ?? {};
    if (run && !off) run();
  },
  deskKeys: () => (state.page ? state.page.keys(context()) : []),
  shellKeys: () => frame.keys(actions),
};
Object.assign(shell, { updates, opening, games, actions });
const transfer = importExport(state, shell);
shell.transfer = transfer;
let lastSpoken = "";

start();

async function start() {
  applySettings();
  // In the Alt1 toolkit's browser this offers to add the page as an app.
  (globalThis as { alt1?: { identifyAppUrl: (address: string) => void } }).alt1?.identifyAppUrl(
    "./appconfig.json",
  );
  narrow.addEventListener("change", redraw);
  element("top").replaceChildren();
  if (state.embed) document.documentElement.dataset.embed = "";
  if (!state.embed) listen();
  addEventListener("pagehide", () => updates.save());
  document.addEventListener("visibilitychange", () => document.hidden || games.reread());
  link.followBack(() => open(null));
  link.follow((fragment) => opening.follow(fragment));
  watchUpdates(onUpdate);
  const shared = state.embed ? "" : link.takeShared();
  const desk = link.deskOf(link.current());
  if (Object.hasOwn(desks, desk)) engine.prepare(desk); // before its page is fetched
  await opening.go(link.current());
  if (shared) await transfer.openText(shared);
  if (!state.embed) await transfer.openFiles(await takeReceived());
  takeLaunched();
  beginWhenIdle(() => engine.begin());
  await engine.ready.catch(() => {}); // caching for offline use must not delay the start
  await waitForAnswers();
  offline();
}

const IDLE = 2000; // ms after the page has loaded, unless a desk is opened before

/** Run once the connection is idle; never where its bytes are paid for. */
function beginWhenIdle(run: () => void) {
  const { connection } = navigator as { connection?: { saveData?: boolean; type?: string } };
  if (connection?.saveData || connection?.type === "cellular") return;
  const wait = () => setTimeout(run, IDLE);
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
}

const POLL_INTERVAL = 500; // ms
const MAX_POLLS = 20; // for questions that take long

/** Wait until what the open desk has asked is answered. */
async function waitForAnswers() {
  const waits = () => Object.values(questions.replies).some(({ state }) => state === "waiting");
  for (let n = 0; n < MAX_POLLS && waits(); n++)
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));
}

let offlineReady: Promise<void> | undefined;

function offline() {
  offlineReady ??= keepOffline(onUpdate);
  return offlineReady;
}

/** @param elsewhere another tab has activated it */
function onUpdate(apply: () => void, elsewhere: boolean) {
  const { newer } = state;
  const text = newer ? words.updateForLink : elsewhere ? words.updateElsewhere : words.update;
  const run = () => {
    if (newer) link.write(newer);
    apply();
  };
  notice(text, "", { label: words.updateNow, run });
}

/** Files opened with the installed app (launchQueue), if supported. */
function takeLaunched() {
  type Launch = { files?: { getFile: () => Promise<File> }[] };
  const { launchQueue } = globalThis as {
    launchQueue?: { setConsumer: (take: (launch: Launch) => void) => void };
  };
  launchQueue?.setConsumer(async ({ files = [] }) => {
    await transfer.openFiles(await Promise.all(files.map((one) => one.getFile())));
  });
}

/** Listens for keys, paste and drop, except on an embedded, read-only board. */
function listen() {
  addEventListener("keydown", onKey);
  addEventListener("click", followSkipLink);
  addEventListener("paste", onPaste);
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", onDrop);
}

function onKey(event: KeyboardEvent) {
  if (state.dialog || opening.takes(event)) return;
  dispatch(event, [frame.helpKey(actions), ...actions.deskKeys(), ...actions.shellKeys()]);
}

async function onDrop(event: DragEvent) {
  event.preventDefault();
  const files = [...(event.dataTransfer?.files ?? [])];
  if (!files.length) onText(event.dataTransfer?.getData("text/plain"), null);
  else if (!state.dialog) await transfer.openFiles(files);
}

/** Handles a pasted picture or text. */
async function onPaste(event: ClipboardEvent) {
  const text = event.clipboardData?.getData("text/plain");
  const files = [...(event.clipboardData?.files ?? [])];
  if (text || !files.length || state.dialog) onText(text, event);
  else await transfer.openPictures(files);
}

function onText(text: string | undefined, event: ClipboardEvent | null) {
  if (!text || state.dialog) return;
  if (event?.target instanceof Element && event.target.closest("input, textarea")) return;
  event?.preventDefault();
  transfer.openText(text);
}

/** Shows or closes a dialog. */
function open(draw: (() => unknown) | null) {
  if (draw) link.dialogOpened();
  else link.dialogClosed();
  state.dialog = draw;
  redraw();
}

const NOTICE = 6000; // ms

function notice(text: string, tone: string = "", action?: Notice["action"], step?: Notice["step"]) {
  state.notice = text ? { text, tone, action, step } : null;
  redraw();
  if (!text || tone === "risk" || action) return;
  const mine = state.notice;
  setTimeout(() => {
    if (state.notice === mine) notice("");
  }, NOTICE);
}

/** Announces the result's first sentence and the advice once all questions are answered. */
function onReply() {
  redraw();
  const { page, history } = state;
  if (!page?.describe || !history) return;
  const now = context();
  const asked = isAsked(now);
  const bar = page.bar?.(now);
  const sender = state.said && senderSpoken(senderAdvice(state, bar, asked));
  if (asked && !sender) return;
  const own = asked ? "" : resultSpoken(page.describe(now)[0] ?? "", bar, narrow.matches);
  const line = [sender, own].filter(Boolean).join(" ");
  if (line !== lastSpoken) announce(line, bar?.state === "contradiction" ? "assertive" : "polite");
  lastSpoken = line;
}

async function onPhase(phase: Phase) {
  const failed = state.phase.name === "failed";
  state.phase = phase;
  if (failed && phase.name === "ready") questions.retry();
  if (phase.name === "ready") state.version = (await engine.ready).version;
  redraw();
}
