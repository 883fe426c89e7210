/**
 * What follows a change of position or view: the questions, the address, what is kept, the drawing.
 * However many changes one click makes, it is one round.
 */

import { freeze } from "../session/freeze.js";
import { History } from "../session/history.js";
import * as link from "../session/link.js";
import { messageOf } from "../session/load-records.js";
import { preferenceFields } from "../session/preferences.js";
import { words } from "../strings.js";

/**
 * @typedef {import("./state.js").State} State
 * @typedef {import("../session/questions.js").Request} Request
 * @typedef {{request: Omit<Request, "desk">, result: unknown}} Known an answer that came along
 *
 * @typedef {object} Parts
 * @property {import("../session/questions.js").Questions} questions
 * @property {import("../session/persistence.js").Keeping} keeping
 * @property {() => void} redraw
 * @property {import("./header.js").Actions["notice"]} notice
 */

const SOON = 250; // ms after which a view is kept that changes with every key

export class RequestQueue {
  #state;
  #parts;
  #due = false;
  /** @type {Known | undefined} */
  #known;
  #saving = 0;
  /** @type {State["history"]} the history that was last given to be kept */
  #given = null;
  /** @type {object} the view that was last given to be kept */
  #seen = {};
  /** @type {unknown} the position that the address holds */
  #written = null;
  #warned = false;

  /** @param {State} state @param {Parts} parts */
  constructor(state, parts) {
    this.#state = state;
    this.#parts = parts;
  }

  /** Position or view is another: a round follows. @param {Known} [known] */
  changed(known) {
    this.#known = known ?? this.#known;
    if (this.#due) return;
    this.#due = true;
    queueMicrotask(() => this.settle());
  }

  /** Ask, write the link, save, draw: at the end of a click, or before the drawing that would show it. */
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
    this.#parts.redraw();
  }

  /** Asking or drawing failed: without what was being looked at, then the step before, then a new game. @param {unknown} problem */
  retreat(problem) {
    const state = this.#state;
    const { history, page, desk } = state;
    if (!history || !page) return;
    this.#parts.notice(`${words.drawFailed} ${messageOf(problem)}`, "risk");
    if (!Object.keys(state.view).length)
      state.history = history.canUndo ? history.moved(-1) : History.begin(desk, freeze(page.initial()));
    state.view = {};
    this.changed();
  }

  /** What came from another tab is kept there: it is not to be kept again. @param {State["history"]} next */
  joined(next) {
    if (this.#given === this.#state.history) this.#given = next;
    this.#state.history = next;
  }

  /** Nothing more is kept of what is open now. */
  forget() {
    clearTimeout(this.#saving);
    Object.assign(this.#state, { desk: "", page: null, history: null });
  }

  async save() {
    clearTimeout(this.#saving);
    const { keeping, notice } = this.#parts;
    const { desk, page, history, view, embed } = this.#state;
    if (!desk || !history || embed) return;
    this.#given = history;
    this.#seen = view;
    const kept = await keeping.keep(history, view, page?.lasting);
    if (this.#state.history === history && this.#state.view === view)
      document.documentElement.dataset.saved = kept ? "current" : "refused";
    if (kept || this.#warned) return;
    this.#warned = true;
    notice(words.storageOff, "", { label: words.understood, run: () => notice("") });
  }

  /** @param {Known} [known] */
  #ask(known) {
    const { page, history, desk, view } = this.#state;
    if (!page || !history) return;
    /** @type {Record<string, Request>} */
    const wanted = {};
    for (const [key, request] of Object.entries(page.wants(history.position, view)))
      wanted[key] = { desk, ...request };
    this.#parts.questions.want(wanted, known && { ...known, request: { desk, ...known.request } });
  }

  /** The address follows a moment later; until it does, the page says that it is behind. */
  async #writeLink() {
    const state = this.#state;
    const { page, history, desk } = state;
    if (!page || !history) return;
    const there = history.position === this.#written && link.current() === state.fragment;
    document.documentElement.dataset.address = there ? "current" : "behind";
    if (there) return;
    const fragment = await link.encode(desk, history.position);
    if (state.history?.position !== history.position) return; // a later position is on its way
    state.fragment = fragment;
    this.#written = history.position;
    link.write(fragment);
    document.documentElement.dataset.address = "current";
  }

  /** A step is kept at once, and what lasts beyond the game; a view that changes with every key a moment later. */
  #saveSoon() {
    const { embed, history } = this.#state;
    document.documentElement.dataset.saved = embed ? "current" : "behind"; // a board to look at keeps nothing
    clearTimeout(this.#saving);
    if (history !== this.#given || this.#lasts()) this.save();
    else this.#saving = window.setTimeout(() => this.save(), SOON);
  }

  /** Whether something that lasts is another than was kept. */
  #lasts() {
    const { page, view } = this.#state;
    const [then, now] = [this.#seen, view].map((one) => Object.entries(preferenceFields(one, page?.lasting)));
    return (
      now.length !== then.length ||
      now.some(([name, value], i) => then[i][0] !== name || then[i][1] !== value)
    );
  }
}
