/** Moves through the open game and to the desk's other games; merges records of other tabs and files. */

import { History } from "../session/history.js";
import { freeze } from "../session/link.js";
import type { Keeping } from "../session/persistence.js";
import { preferenceFields } from "../session/preferences.js";
import type { Questions } from "../session/questions.js";
import { deskOf, isLater } from "../session/records.js";
import type { Entry } from "../session/store.js";
import * as store from "../session/store.js";
import { words } from "../strings.js";
import type { State } from "./context.js";
import { say } from "./context.js";
import type { Actions } from "./header.js";
import type { Opening } from "./open-link.js";
import type { RequestQueue } from "./requests.js";

export type Entries = Entry[];
export interface Parts {
  questions: Questions;
  keeping: Keeping;
  rounds: RequestQueue;
  opening: Opening;
  redraw: () => void;
  go: (fragment: string) => Promise<void>;
  notice: Actions["notice"];
}

export class Games {
  #state;
  #parts;

  constructor(state: State, parts: Parts) {
    this.#state = state;
    this.#parts = parts;
  }

  /** Undo or redo. */
  move(steps: number) {
    const { history } = this.#state;
    if (!history) return;
    const label = steps < 0 ? history.undoLabel : history.redoLabel;
    if (steps < 0 ? !history.canUndo : !history.canRedo) {
      say(words.nothingToUndo);
      return;
    }
    this.#state.history = history.moved(steps);
    say(steps < 0 ? words.undone(label) : words.redone(label));
    this.#parts.rounds.changed();
  }

  /** @param id of any moment of the open game */
  jump(id: string) {
    const state = this.#state;
    this.#parts.notice("");
    const next = state.history?.to(id);
    if (!next || next.present === state.history?.present) return;
    state.history = next;
    this.#parts.rounds.changed();
  }

  /** Lets the next step begin a trial branch. */
  suppose(name: string) {
    const state = this.#state;
    if (!state.history) return;
    state.history = state.history.supposing(name);
    say(words.supposes(name));
    this.#parts.redraw();
  }

  /** Returns from the trial branch to the game. */
  comeBack() {
    const state = this.#state;
    if (!state.history) return;
    state.history = state.history.returned();
    this.#parts.rounds.changed();
  }

  /** The desk's games, the newest first. */
  async list() {
    const { desk, page } = this.#state;
    return page ? this.#parts.keeping.games(desk, page) : [];
  }

  /** Opens a desk at one of its games. */
  async openAt(desk: string, game: string) {
    await this.#parts.go(`#/${desk}`);
    await this.open(game);
  }

  async open(game: string) {
    const { desk, page, history } = this.#state;
    if (!page || !history || game === history.present.game) return;
    await this.#leave(history);
    const next = await this.#parts.keeping.openGame(desk, game, page);
    if (next && this.#state.history === history) this.#show(next);
  }

  /** Starts a new game with the same rules; the old game stays stored. */
  async begin() {
    const { desk, page, history } = this.#state;
    if (!page || !history) return;
    await this.#leave(history);
    const position = page.anew ? page.accept(page.anew(history.position)) : page.initial();
    if (this.#state.history === history) this.#show(History.begin(desk, freeze(position)));
  }

  rename(game: string, name: string) {
    store.askToStay();
    return this.#parts.keeping.rename(this.#state.desk, game, name);
  }

  /** Removes a game; it can be restored while the notice is shown. */
  async remove(game: string, name: string) {
    const { keeping, notice } = this.#parts;
    if (game === this.#state.history?.present.game) await this.begin();
    const gone = await keeping.remove(this.#state.desk, game);
    notice(words.gameRemoved(name), "", {
      label: words.undo,
      run: () => keeping.restore(gone).then(() => notice("")),
    });
  }

  /** Adds steps of another tab to the open game as a branch; the current entry stays. */
  heard(entries: Entries) {
    const { keeping, rounds, redraw, notice } = this.#parts;
    const { page, history, embed } = this.#state;
    if (!page || !history || embed) return;
    const next = keeping.heard(history, entries, page);
    if (!next) return;
    rounds.joined(next);
    const newest = [...next.tree.values()].reduce((a, b) => (isLater(b, a) ? b : a));
    if (history.tree.has(newest.id)) return redraw();
    notice(words.otherTab(newest.label), "", { label: words.goThere, run: () => this.jump(newest.id) });
  }

  /** Reads storage again: a suspended tab may have missed messages. */
  async reread() {
    const { history, embed } = this.#state;
    if (history && !embed) this.heard(await this.#parts.keeping.kept(history));
  }

  /** Merges records of a file; an untouched game moves to the file's current entry. */
  async brought(news: Entries) {
    const { keeping, rounds, opening, redraw } = this.#parts;
    keeping.tell(news);
    const { desk, history } = this.#state;
    if (!history) return redraw();
    if (history.tree.size > 1) return this.heard(news);
    rounds.forget();
    await opening.desk(desk);
  }

  /** Deletes all games of a desk, or everything with ""; an open desk starts a new game. */
  async wipe(of: string) {
    const { keeping, rounds, opening, redraw } = this.#parts;
    const { desk } = this.#state;
    const begins = desk && (!of || of === desk);
    if (begins) rounds.forget();
    keeping.written.clear();
    keeping.lasting.forget();
    await store.wipe((key) => !of || deskOf(key) === of);
    if (begins) await opening.desk(desk);
    else redraw();
  }

  async #leave(history: History<unknown>) {
    const { view, page } = this.#state;
    await this.#parts.rounds.save();
    await this.#parts.keeping.leave(history, view, page?.lasting);
  }

  /** Opens another game. */
  #show(history: History<unknown>) {
    this.#parts.questions.clear();
    const { view, page } = this.#state;
    Object.assign(this.#state, { history, view: preferenceFields(view, page?.lasting) });
    this.#parts.rounds.changed();
  }
}
