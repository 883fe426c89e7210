/**
 * Storage of the open game: reads a desk's records, writes new ones, and merges those of other tabs.
 * Tabs do not overwrite each other: every history entry has its own key, and a tab writes only its own
 * cursor.
 */

import { messageOf } from "../errors.js";
import { History } from "./history.js";
import { freeze } from "./link.js";
import type { Aside } from "./load-records.js";
import { asideEntries, read, settlingEntries } from "./load-records.js";
import { gameFields, Preferences } from "./preferences.js";
import type { Cursor, Game, HistoryEntry, Name, Records } from "./records.js";
import { entriesOfGame, gamesIn, isLater, keyOf, newestCursor, now } from "./records.js";
import type { Entry } from "./store.js";

/** the part of a desk's page used here */
type Accepts = { accept(position: unknown): unknown; lasting?: readonly string[] };
type Store = {
  under: (first: string, last?: string) => Promise<Entry[]>;
  write: (entries: Entry[]) => Promise<boolean>;
  tab: () => string;
};
/** `aside`: the number of entries newly found to be unreadable */
type Opened = { history: History<unknown> | null; view: object; aside: number };

const MAX_CURSORS = 8; // per desk; older ones are deleted

export class GameStorage {
  store;
  broadcast;
  tab;
  /** The time of every record stored or being stored. */
  written: Map<string, number> = new Map();
  preferences = new Preferences();
  /** @param broadcast sends records to the other tabs */
  constructor(store: Store, broadcast: (entries: Entry[]) => void) {
    this.store = store;
    this.broadcast = broadcast;
    this.tab = store.tab();
  }

  /** Opens a desk's stored game: that of this tab's cursor, else of the newest cursor. */
  async open(desk: string, page: Promise<Accepts>): Promise<Opened> {
    const { records, aside } = await this.records(desk, page);
    const lasting = this.preferences.read(records, desk);
    const cursors = cursorsIn(records, desk);
    const mine = cursors.findIndex((one) => one.tab === this.tab);
    if (mine > 0) cursors.unshift(...cursors.splice(mine, 1));
    for (const cursor of cursors) {
      const history = historyAt(records, desk, cursor);
      if (history) return { history, view: { ...cursor.view, ...lasting }, aside: aside.length };
    }
    const newest = newestEntry(records);
    const history = newest
      ? historyAt(records, desk, { game: newest.game, at: newest.id, tip: newest.id })
      : null;
    return { history, view: lasting, aside: aside.length };
  }

  /** Reads a desk's records, migrates old ones, and sets unreadable ones aside. */
  async records(desk: string, page: Promise<Accepts>): Promise<{ records: Records; aside: Aside[] }> {
    const [entries, before, accepts] = await Promise.all([this.entries(desk), this.unreadable(desk), page]);
    const found = read([...entries, ...before.map((one) => [one.key, one.value] as Entry)]);
    const records = withAccepted(found.records, accepts, found.aside);
    const migrated = this.preferences.migrate(records, desk, accepts.lasting);
    for (const [key, one] of migrated) records.set(key, one);
    const known = new Map(asideEntries(before));
    const fresh = asideEntries(found.aside).filter(([key]) => !known.has(key));
    const again = before.filter((one) => records.has(one.key)); // unreadable for an earlier version
    for (const [key, one] of found.records) this.written.set(key, one.made);
    const changes = [
      ...settlingEntries(found),
      ...fresh,
      ...migrated,
      ...again.map((one) => [one.key, found.records.get(one.key)] as Entry),
      ...asideEntries(again).map(([key]) => [key, undefined] as Entry),
      ...cursorsIn(records, desk)
        .filter(({ tab }) => !tab.startsWith("left-"))
        .slice(MAX_CURSORS)
        .map(({ tab }) => [`cursor/${desk}/${tab}`, undefined] as Entry),
    ];
    if (changes.length) await this.store.write(changes);
    return { records, aside: fresh.map(([, one]) => one) };
  }

  async entries(desk: string): Promise<Entry[]> {
    const kinds = ["moment", "name", "game", "cursor", "own"].map((kind) =>
      this.store.under(`${kind}/${desk}/`),
    );
    const old = this.store.under(`desk.${desk}`, `desk.${desk}`);
    return (await Promise.all([...kinds, old])).flat();
  }

  async unreadable(desk: string): Promise<Aside[]> {
    const kept = await this.store.under("aside/");
    return kept.map(([, one]) => one).filter((one) => String(one?.key).split("/")[1] === desk);
  }

  /**
   * Stores new entries of a history and this tab's cursor, except for a game without steps. Returns
   * whether everything is stored.
   * @param lasting the view's preferences, which belong to no game
   */
  async save(history: History<unknown>, view: object, lasting?: readonly string[]): Promise<boolean> {
    const { desk, game, id: at } = history.present;
    const fresh = this.unsaved(history);
    const own = this.preferences.changes(desk, view, lasting);
    const passing = gameFields(view, lasting);
    const bare = history.tree.size === 1 && !history.present.label; // games opened by a link have a label
    const untouched = bare && fresh.length === 1 && !Object.keys(passing).length;
    if (untouched) return !own.length || this.store.write(own);
    for (const [key, one] of fresh) this.written.set(key, one.made);
    const cursor = { game, at, tip: history.tip.id, view: passing, made: now() };
    this.broadcast(fresh);
    return this.store.write([...fresh, ...own, [`cursor/${desk}/${this.tab}`, cursor]]);
  }

  /** The games of a desk, the newest first. */
  async games(desk: string, page: Accepts): Promise<Game[]> {
    return gamesIn((await this.records(desk, Promise.resolve(page))).records, desk);
  }

  /** Another game of the desk, at its newest cursor. */
  async openGame(desk: string, game: string, page: Accepts): Promise<History<unknown> | null> {
    const { records } = await this.records(desk, Promise.resolve(page));
    return historyAt(records, desk, newestCursor(records, desk, game) ?? { game, at: "", tip: "" });
  }

  /** Stores this tab's cursor before it opens another game. */
  async leave(history: History<unknown>, view: object, lasting?: readonly string[]) {
    const { desk, game, id: at } = history.present;
    if (!this.written.has(keyOf(history.present))) return;
    const cursor = { game, at, tip: history.tip.id, view: gameFields(view, lasting), made: now() };
    await this.store.write([[`cursor/${desk}/left-${game}`, cursor]]);
  }

  async rename(desk: string, game: string, text: string) {
    const entries: Entry[] = [[`game/${desk}/${game}`, { text: text.trim().slice(0, 120), made: now() }]];
    this.broadcast(entries);
    await this.store.write(entries);
  }

  /** Removes a game from storage; returns its entries for `restore`. */
  async remove(desk: string, game: string): Promise<Entry[]> {
    const gone = entriesOfGame(await this.entries(desk), desk, game);
    await this.store.write(gone.map(([key]) => [key, undefined]));
    for (const [key] of gone) this.written.delete(key);
    this.broadcast([[`gone/${desk}/${game}`, null]]);
    return gone;
  }

  async restore(entries: Entry[]) {
    for (const [key, one] of entries) this.written.set(key, one.made);
    await this.store.write(entries);
  }

  /** A history's records that are not yet stored. */
  unsaved(history: History<unknown>): Entry[] {
    const all: Entry[] = [...history.tree.values()].map((one) => [keyOf(one), one]);
    for (const [id, name] of history.names) all.push([`name/${history.present.desk}/${id}`, name]);
    return all.filter(([key, one]) => this.written.get(key) !== one.made);
  }

  /** The history merged with entries of another tab, or null if none concerns it. */
  merge(history: History<unknown>, entries: Entry[], page: Accepts): History<unknown> | null {
    const { desk, game } = history.present;
    // A game removed in another tab while open here is stored again as a whole at its next step.
    if (entries.some(([key]) => key === `gone/${desk}/${game}`)) this.written.clear();
    const records = withAccepted(read(entries).records, page, []);
    const { steps, names } = gameRecords(records, desk, game);
    const hasNew = steps.some((one) => !history.tree.has(one.id));
    const next = history.merge(steps, names);
    const named = [...next.names].some(([id, name]) => history.names.get(id)?.made !== name.made);
    if (!hasNew && !named) return null;
    for (const one of steps) this.written.set(keyOf(one), one.made);
    for (const [id, name] of names) this.written.set(`name/${desk}/${id}`, name.made);
    return next;
  }

  /** The stored entries of the open game. */
  async storedEntries(history: History<unknown>): Promise<Entry[]> {
    const { desk, game } = history.present;
    const parts = [this.store.under(`moment/${desk}/${game}/`), this.store.under(`name/${desk}/`)];
    return (await Promise.all(parts)).flat();
  }
}

/** The records with positions checked by the page; invalid ones are set aside. */
function withAccepted(records: Records, page: Accepts, aside: Aside[]): Records {
  const all = new Map(records);
  for (const [key, one] of records) {
    if (!key.startsWith("moment/")) continue;
    try {
      all.set(key, { ...one, position: freeze(page.accept(one.position)) });
    } catch (problem) {
      all.delete(key);
      aside.push({ key, why: messageOf(problem), value: one });
    }
  }
  return all;
}

/** The cursors of a desk, newest first. */
function cursorsIn(records: Records, desk: string): (Cursor & { tab: string })[] {
  const start = `cursor/${desk}/`;
  return [...records]
    .filter(([key]) => key.startsWith(start))
    .map(([key, one]) => ({ ...one, tab: key.slice(start.length) }))
    .sort((a, b) => b.made - a.made);
}

/** The entries of a game, and the names of the desk's entries. */
function gameRecords(
  records: Records,
  desk: string,
  game: string,
): { steps: HistoryEntry[]; names: [string, Name][] } {
  const steps = [];
  const names: [string, Name][] = [];
  for (const [key, one] of records) {
    if (key.startsWith(`moment/${desk}/${game}/`)) steps.push(one);
    if (key.startsWith(`name/${desk}/`)) names.push([key.slice(`name/${desk}/`.length), one]);
  }
  return { steps, names };
}

/** The history of a game at a cursor, or at its newest entry if the cursor's entry is missing. */
function historyAt(
  records: Records,
  desk: string,
  { game, at, tip }: { game: string; at: string; tip: string },
): History<unknown> | null {
  const { steps, names } = gameRecords(records, desk, game);
  if (!steps.length) return null;
  const tree = new Map(steps.map((one) => [one.id, one]));
  const own = new Map(names.filter(([id]) => tree.has(id)));
  const newest = (newestEntry(records, game) as HistoryEntry).id;
  const here = tree.has(at) ? at : newest;
  return new History(tree, here, tree.has(tip) ? tip : here, own);
}

/** @param game any game if omitted */
function newestEntry(records: Records, game?: string): HistoryEntry | null {
  let newest = null;
  for (const [key, one] of records)
    if (key.startsWith("moment/") && (game === undefined || one.game === game))
      if (!newest || isLater(one, newest)) newest = one;
  return newest;
}
