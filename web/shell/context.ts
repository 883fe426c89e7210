/** The state of the page, from which everything is drawn, and what the open desk may do with it. */

import type { Context, DeskPage } from "../desks/desk.js";
import type { Phase } from "../engine/client.js";
import * as link from "../session/link.js";
import type { Questions } from "../session/questions.js";
import { facts } from "../session/questions.js";
import { words } from "../strings.js";
import type { Actions } from "./header.js";
import type { Game } from "./home.js";

export type { DeskPage };
export type History = import("../session/history.js").History<unknown>;
export type Draw = () => unknown;
export interface Notice {
  text: string;
  tone: string;
  action?: { label: string; run: () => void };
  /** the id of the step that the notice is about, if it is shown only there */
  step?: string;
}
export interface State {
  /** the open one, "" at home */
  desk: string;
  page: DeskPage | null;
  history: History | null;
  /** the desk's own */
  view: object;
  /** Python's start */
  phase: Phase;
  dialog: Draw | null;
  notice: Notice | null;
  /** of the open position */
  fragment: string;
  /** the home page is open (otherwise no desk is loaded yet) */
  home: boolean;
  /** the text view is on */
  text: boolean;
  /** the sender's advice, and the position that it is about */
  said: { text: string; position: unknown } | null;
  /** a link that needs a newer build, or "" */
  newer: string;
  /** of the package, "" until it is ready */
  version: string;
  /** of all desks for the home page, the newest first */
  games: Game[];
  /** the home page lists them all */
  all: boolean;
  /** the loaded pages */
  pages: Record<string, DeskPage>;
  /** a read-only board in another page */
  embed: boolean;
}

export function firstState(): State {
  return {
    desk: "",
    page: null,
    history: null,
    view: {},
    phase: { name: "loading", message: "", done: 0, total: 0 }, // no download has started
    dialog: null,
    notice: null,
    fragment: "",
    home: false,
    text: false,
    said: null,
    newer: "",
    version: "",
    games: [],
    all: false,
    pages: {},
    embed: link.query("embed") === "1",
  };
}

/** The parts of the page, as they use each other; app.ts makes them. */
export interface Shell {
  engine: ReturnType<typeof import("../engine/client.js").createEngine>;
  questions: Questions;
  gameStorage: import("../session/persistence.js").GameStorage;
  updates: import("./updates.js").UpdateScheduler;
  opening: import("./open-link.js").Opening;
  games: Actions["games"];
  transfer: Actions["transfer"];
  actions: Actions;
  context: () => Context;
  redraw: () => void;
  afterDrawing: (run: () => void) => void;
  open: Actions["open"];
  notice: Actions["notice"];
  /** asks the host for a newer build */
  lookForUpdate: () => Promise<void>;
  /** handles the keys deferred while a link is opened */
  onKey: (event: KeyboardEvent) => void;
}

const refuse = (fault: Parameters<typeof facts>[0]) => Promise.reject(facts(fault));

/**
 * The state and functions for the open desk (see desks/desk.d.ts). `position` is read at each access,
 * so that a handler that awaited an answer builds on steps made meanwhile.
 */
export function contextOf(
  state: State,
  { engine, questions, updates, games, redraw, afterDrawing, open, notice }: Shell,
): Context {
  const { page, history, desk } = state;
  if (!page || !history) throw new Error("no desk is open");
  const isOpen = () => state.desk === desk && state.history !== null;
  return {
    get position() {
      return isOpen() ? state.history?.position : history.position;
    },
    view: state.view,
    replies: questions.replies,
    phase: state.phase.name,
    readOnly: state.embed,
    past: history.path.slice(0, history.index + 1),
    commit(next, label, { view, known, turn } = {}) {
      if (state.embed) return announce(words.readOnly);
      // A late answer becomes a step after the current entry, or is ignored.
      if (!isOpen() || !state.history) return undefined;
      state.history = state.history.add(link.freeze(next), label, turn);
      if (view) state.view = { ...state.view, ...view };
      return updates.changed(known);
    },
    follow(id, steps, view) {
      if (state.embed) return announce(words.readOnly);
      if (!isOpen() || !state.history) return undefined;
      let moved = state.history.jump(id);
      for (const { position, label, turn } of steps) moved = moved.add(link.freeze(position), label, turn);
      state.history = moved;
      if (view) state.view = { ...state.view, ...view };
      return updates.changed();
    },
    set(change, then) {
      if (state.desk !== desk) return;
      state.view = { ...state.view, ...change };
      if (then) afterDrawing(then);
      updates.changed();
    },
    ask(request, onProgress) {
      const job = engine.ask({ desk, ...request }, { onProgress });
      return { cancel: job.cancel, promise: job.promise.then((r) => r.result, refuse) };
    },
    askInTurn(request, text) {
      const job = engine.askInTurn({ desk, ...request, arrays: { text } });
      const promise = job.promise.then(
        ({ result, arrays }) => ({ result, text: arrays.text as Uint8Array<ArrayBuffer> }),
        refuse,
      );
      return { cancel: job.cancel, promise };
    },
    gather: () => engine.gather(),
    stop: (key) => questions.stop(key),
    again: (key) => questions.again(key),
    address: (name) => link.address(link.named(desk, name)),
    announce,
    notify(text, undo) {
      if (!isOpen()) return; // the player has left the desk
      const action = undo && { label: words.undo, run: () => games.move(-1) };
      notice(text, "", action, undo && state.history?.present.id);
    },
    open: (draw) => !state.embed && isOpen() && open(draw),
    redraw,
  };
}

/** Announces a text to screen readers, also if it is the same as before; `assertive` for errors. */
export function announce(text: string, how: "polite" | "assertive" = "polite") {
  const place = document.getElementById("live");
  if (!place) return;
  place.setAttribute("aria-live", how);
  place.textContent = "";
  requestAnimationFrame(() => {
    place.textContent = text;
  });
}
