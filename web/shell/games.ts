/** Moves through the open game and to the desk's other games; merges records of other tabs and files. */

import { History } from "../session/history.js";
import { freeze } from "../session/link.js";
import { preferenceFields } from "../session/preferences.js";
import { deskOf, isLater } from "../session/records.js";
import type { Entry } from "../session/store.js";
import * as store from "../session/store.js";
import { words } from "../strings.js";
import type { Shell, State } from "./context.js";
import { announce } from "./context.js";

export type Entries = Entry[];
export class Games {
  #state;
  #shell;

  constructor(state: State, shell: Shell) {
    this.#state = state;
    this.#shell = shell;
  }

  /** Undo or redo. */
  move(steps: number) {
    const { history } = this.#state;
    if (!history) return;
    const label = steps < 0 ? history.undoLabel : history.redoLabel;
    if (steps < 0 ? !history.canUndo : !history.canRedo) {
      announce(words.nothingToUndo);
      return;
    }
    this.#state.history = history.move(steps);
    announce(steps < 0 ? words.undone(label) : words.redone(label));
    this.#shell.updates.changed();
  }

  /** @param id of any entry of the open game */
  jump(id: string) {
    const state = this.#state;
    this.#shell.notice("");
    const next = state.history?.jump(id);
    if (!next || next.present === state.history?.present) return;
    state.history = next;
    this.#shell.updates.changed();
  }

  /** Lets the next step begin a trial branch. */
  suppose(name: string) {
    const state = this.#state;
    if (!state.history) return;
    state.history = state.history.startTrial(name);
    announce(words.supposes(name));
    this.#shell.redraw();
  }

  /** Returns from the trial branch to the game. */
  comeBack() {
    const state = this.#state;
    if (!state.history) return;
    state.history = state.history.leaveTrial();
    this.#shell.updates.changed();
  }

  /** The desk's games, the newest first. */
  async list() {
    const { desk, page } = this.#state;
    return page ? this.#shell.gameStorage.games(desk, page) : [];
  }

  /** Opens a desk at one of its games. */
  async openAt(desk: string, game: string) {
    await this.#shell.transfer.openFragment(`#/${desk}`);
    await this.open(game);
  }

  async open(game: string) {
    const { desk, page, history } = this.#state;
    if (!page || !history || game === history.present.game) return;
    await this.#leave(history);
    const next = await this.#shell.gameStorage.openGame(desk, game, page);
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
    return this.#shell.gameStorage.rename(this.#state.desk, game, name);
  }

  /** Removes a game; it can be restored while the notice is shown. */
  async remove(game: string, name: string) {
    const { gameStorage, notice } = this.#shell;
    if (game === this.#state.history?.present.game) await this.begin();
    const gone = await gameStorage.remove(this.#state.desk, game);
    notice(words.gameRemoved(name), "", {
      label: words.undo,
      run: () => gameStorage.restore(gone).then(() => notice("")),
    });
  }

  /** Adds steps of another tab to the open game as a branch; the current entry stays. */
  merge(entries: Entries) {
    const { gameStorage, updates, redraw, notice } = this.#shell;
    const { page, history, embed } = this.#state;
    if (!page || !history || embed) return;
    const next = gameStorage.merge(history, entries, page);
    if (!next) return;
    updates.joined(next);
    const newest = [...next.tree.values()].reduce((a, b) => (isLater(b, a) ? b : a));
    if (history.tree.has(newest.id)) return redraw();
    notice(words.otherTab(newest.label), "", { label: words.goThere, run: () => this.jump(newest.id) });
  }

  /** Reads storage again: a suspended tab may have missed messages. */
  async reread() {
    const { history, embed } = this.#state;
    if (history && !embed) this.merge(await this.#shell.gameStorage.storedEntries(history));
  }

  /** Merges records of a file; an untouched game moves to the file's current entry. */
  async mergeImported(news: Entries) {
    const { gameStorage, updates, opening, redraw } = this.#shell;
    gameStorage.broadcast(news);
    const { desk, history } = this.#state;
    if (!history) return redraw();
    if (history.tree.size > 1) return this.merge(news);
    updates.forget();
    await opening.desk(desk);
  }

  /** Deletes all games of a desk, or everything with ""; an open desk starts a new game. */
  async wipe(of: string) {
    const { gameStorage, updates, opening, redraw } = this.#shell;
    const { desk } = this.#state;
    const begins = desk && (!of || of === desk);
    if (begins) updates.forget();
    gameStorage.written.clear();
    gameStorage.preferences.forget();
    await store.wipe((key) => !of || deskOf(key) === of);
    if (begins) await opening.desk(desk);
    else redraw();
  }

  async #leave(history: History<unknown>) {
    const { view, page } = this.#state;
    await this.#shell.updates.save();
    await this.#shell.gameStorage.leave(history, view, page?.lasting);
  }

  /** Opens another game. */
  #show(history: History<unknown>) {
    this.#shell.questions.clear();
    const { view, page } = this.#state;
    Object.assign(this.#state, { history, view: preferenceFields(view, page?.lasting) });
    this.#shell.updates.changed();
  }
}
