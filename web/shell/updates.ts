/**
 * Updates questions, address, storage and drawing after a change of position or view, once per event
 * loop turn.
 */

import { messageOf } from "../errors.js";
import { History } from "../session/history.js";
import * as link from "../session/link.js";
import { preferenceFields } from "../session/preferences.js";
import type { Request } from "../session/questions.js";
import { words } from "../strings.js";
import type { Shell, State } from "./context.js";

/** an answer included with the change */
export type Known = { request: Omit<Request, "desk">; result: unknown };

const SOON = 250; // ms after which a view that changes with every key is stored

export class UpdateScheduler {
  #state;
  #shell;
  #due = false;
  #known: Known | undefined;
  #saving = 0;
  /** the history last stored */
  #savedHistory: State["history"] = null;
  /** the view last stored */
  #savedView: object = {};
  /** the position in the address */
  #written: unknown = null;
  #warned = false;

  constructor(state: State, shell: Shell) {
    this.#state = state;
    this.#shell = shell;
  }

  /** Schedules an update after a change of position or view. */
  changed(known?: Known) {
    this.#known = known ?? this.#known;
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => this.settle());
  }

  /** Runs the scheduled update: questions, link, storage, drawing. */
  settle() {
    if (!this.#due) return;
    this.#due = false;
    const known = this.#known;
    this.#known = undefined;
    try {
      this.#ask(known);
    } catch (problem) {
      this.retreat(problem);
    }
    this.#writeLink();
    this.#saveSoon();
    this.#shell.redraw();
  }

  /** Recovers from an error in questions or drawing: reset the view, then go back a step, then a new game. */
  retreat(problem: unknown) {
    const state = this.#state;
    const { history, page, desk } = state;
    if (!history || !page) return;
    this.#shell.notice(`${words.drawFailed} ${messageOf(problem)}`, "risk");
    if (!Object.keys(state.view).length)
      state.history = history.canUndo ? history.move(-1) : History.begin(desk, link.freeze(page.initial()));
    state.view = {};
    this.changed();
  }

  /** Marks a history from another tab as stored. */
  joined(next: State["history"]) {
    if (this.#savedHistory === this.#state.history) this.#savedHistory = next;
    this.#state.history = next;
  }

  /** Stops storing the open game. */
  forget() {
    clearTimeout(this.#saving);
    Object.assign(this.#state, { desk: "", page: null, history: null });
  }

  async save() {
    clearTimeout(this.#saving);
    const { gameStorage, notice } = this.#shell;
    const { desk, page, history, view, embed } = this.#state;
    if (!desk || !history || embed) return;
    this.#savedHistory = history;
    this.#savedView = view;
    const kept = await gameStorage.save(history, view, page?.lasting);
    if (this.#state.history === history && this.#state.view === view)
      document.documentElement.dataset.saved = kept ? "current" : "refused";
    if (kept || this.#warned) return;
    this.#warned = true;
    notice(words.storageOff, "", { label: words.understood, run: () => notice("") });
  }

  #ask(known?: Known) {
    const { page, history, desk, view } = this.#state;
    if (!page || !history) return;
    const questions: Record<string, Request> = {};
    const past = history.path.slice(0, history.index + 1);
    for (const [key, request] of Object.entries(page.listRequests(history.position, view, past)))
      questions[key] = { desk, ...(request as object) } as Request;
    this.#shell.questions.reconcile(questions, known && { ...known, request: { desk, ...known.request } });
  }

  /** Writes the address asynchronously; `data-address` is "behind" until then. */
  async #writeLink() {
    const state = this.#state;
    const { page, history, desk } = state;
    if (!page || !history) return;
    const there = history.position === this.#written && link.current() === state.fragment;
    document.documentElement.dataset.address = there ? "current" : "behind";
    if (there) return;
    const fragment = await link.encode(desk, history.position);
    if (state.history?.position !== history.position) return; // replaced by a later position
    state.fragment = fragment;
    this.#written = history.position;
    link.write(fragment);
    document.documentElement.dataset.address = "current";
  }

  /** Stores steps and preferences at once, other changes of the view after a delay. */
  #saveSoon() {
    const { embed, history } = this.#state;
    document.documentElement.dataset.saved = embed ? "current" : "behind"; // a read-only board stores nothing
    clearTimeout(this.#saving);
    if (history !== this.#savedHistory || this.#preferenceChanged()) this.save();
    else this.#saving = window.setTimeout(() => this.save(), SOON);
  }

  /** Whether a preference differs from the stored one. */
  #preferenceChanged() {
    const { page, view } = this.#state;
    const [then, now] = [this.#savedView, view].map((one) =>
      Object.entries(preferenceFields(one, page?.lasting)),
    );
    return (
      now.length !== then.length ||
      now.some(([name, value], i) => then[i][0] !== name || then[i][1] !== value)
    );
  }
}
