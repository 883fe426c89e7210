/**
 * The history of one game: a tree of entries, the current entry, and the path of undo and redo.
 *
 * Immutable: every step returns a new history. Entries are never removed: a new step after an undo is
 * a new branch. The path runs from the first entry to the tip and contains the current one; undo and
 * redo move along it.
 *
 *   let history = History.begin("code", position);
 *   history = history.add(next, "Row 1 added").move(-1).add(other, "Row 1 changed"); // two branches
 *   history = history.startTrial("a 3 is in it").add(next, "Row 2 added").leaveTrial();
 */

import type { HistoryEntry, Name } from "./records.js";
import { historyEntry, isLater, newerRecord, now, random } from "./records.js";

/** a line of the History dialog */
export type Row = { entry: HistoryEntry; step: number; depth: number; first: boolean };

export class History<P> {
  tree;
  names;
  trial;
  path: HistoryEntry[];
  index;
  /**
   * @param tree every entry of the game by its id
   * @param at id of the current entry
   * @param tip id of the path's last entry
   * @param names names of entries
   * @param trial the name of the branch that the next step begins
   */
  constructor(
    tree: Map<string, HistoryEntry>,
    at: string,
    tip: string,
    names: Map<string, Name> = new Map(),
    trial: string | null = null,
  ) {
    this.tree = tree;
    this.names = names;
    this.trial = trial;
    this.path = pathTo(tree, tip);
    if (!this.path.some((one) => one.id === at)) this.path = pathTo(tree, at);
    this.index = this.path.findIndex((one) => one.id === at);
  }

  /** A new game. */
  static begin<Q>(desk: string, position: Q, label: string = ""): History<Q> {
    const made = now();
    const game = `${made.toString(36)}-${random()}`;
    const first = historyEntry({ desk, game, parent: null, label, made, position });
    return new History(new Map([[first.id, first]]), first.id, first.id);
  }

  get present() {
    return this.path[this.index];
  }

  get position(): P {
    return this.present.position as P;
  }

  get tip() {
    return this.path[this.path.length - 1];
  }

  get canUndo() {
    return this.index > 0;
  }

  get canRedo() {
    return this.index < this.path.length - 1;
  }

  /** The label of the step that undo reverts. */
  get undoLabel() {
    return this.canUndo ? this.present.label : "";
  }

  /** The label of the step that redo repeats. */
  get redoLabel() {
    return this.canRedo ? this.path[this.index + 1].label : "";
  }

  /** The name of an entry, or "". */
  nameOf(one: HistoryEntry) {
    return this.names.get(one.id)?.text ?? "";
  }

  /**
   * Adds a step to the current entry; an equal existing step is reused.
   * @param turn the desk's data of the step
   */
  add(position: P, label: string, turn?: object): History<P> {
    const { id: parent, desk, game } = this.present;
    const text = JSON.stringify([position, turn]);
    const suppose = this.trial ?? undefined;
    for (const one of this.tree.values())
      if (
        one.parent === parent &&
        one.label === label &&
        one.suppose === suppose &&
        JSON.stringify([one.position, one.turn]) === text
      )
        return new History(this.tree, one.id, one.id, this.names);
    const next = historyEntry({ desk, game, parent, label, made: now(), position, suppose, turn });
    return new History(new Map(this.tree).set(next.id, next), next.id, next.id, this.names);
  }

  /** Makes the next step begin a trial branch of that name. */
  startTrial(name: string): History<P> {
    return new History(this.tree, this.present.id, this.tip.id, this.names, name);
  }

  /** The name of the current trial branch, or null. */
  get trialName(): string | null {
    return (
      this.trial ??
      this.path.slice(0, this.index + 1).findLast((one) => one.suppose !== undefined)?.suppose ??
      null
    );
  }

  /** Returns to the entry before the trial branch; redo follows the game. */
  leaveTrial(): History<P> {
    const first = this.path.slice(0, this.index + 1).findLast((one) => one.suppose !== undefined);
    const before = this.trial === null ? this.tree.get(first?.parent ?? "") : this.present;
    if (!before) return this;
    return new History(this.tree, before.id, newestDescendant(this.tree, before.id), this.names);
  }

  /** Undoes (negative) or redoes steps. */
  move(steps: number): History<P> {
    const to = Math.min(Math.max(this.index + steps, 0), this.path.length - 1);
    return new History(this.tree, this.path[to].id, this.tip.id, this.names);
  }

  /** Moves to any entry; if it is off the path, its newest branch becomes the path. */
  jump(id: string): History<P> {
    if (!this.tree.has(id)) return this;
    const tip = this.path.some((one) => one.id === id) ? this.tip.id : newestDescendant(this.tree, id);
    return new History(this.tree, id, tip, this.names);
  }

  /**
   * All entries in the order of a list: each entry is followed by the branches that leave it, oldest
   * first. `depth` 0 is the game: the path without trial branches, extended by the newest
   * continuation. `step` counts from the first entry. `first`: a branch begins here.
   */
  rows(): Row[] {
    const children = childrenOf(this.tree);
    const onPath = new Set(this.path.map((one) => one.id));
    const rows = [];
    const stack = [{ entry: this.path[0] as HistoryEntry, step: 0, depth: 0, first: false }];
    for (const one of children.get("") ?? [])
      if (!onPath.has(one.id)) stack.unshift({ entry: one, step: 0, depth: 1, first: true });
    for (let row = stack.pop(); row && rows.length < this.tree.size; row = stack.pop()) {
      rows.push(row);
      const { entry, step, depth } = row;
      const next = children.get(entry.id) ?? [];
      const plain = next.filter((child) => child.suppose === undefined);
      const main = plain.find((child) => onPath.has(child.id)) ?? plain.at(-1);
      if (main) stack.push({ entry: main, step: step + 1, depth, first: false });
      // Branches come first, so that the game continues below them.
      for (const child of next.filter((each) => each !== main).reverse())
        stack.push({ entry: child, step: step + 1, depth: depth + 1, first: true });
    }
    return rows;
  }

  /** Adds entries of other tabs or files; if the current entry is the tip, redo can follow them. */
  merge(entries: Iterable<HistoryEntry>, names: Iterable<[string, Name]> = []): History<P> {
    const tree = new Map(this.tree);
    for (const one of entries) if (!tree.has(one.id)) tree.set(one.id, one);
    const all = new Map(this.names);
    for (const [id, name] of names) if (tree.has(id)) all.set(id, newerRecord(all.get(id) ?? name, name));
    return new History(tree, this.present.id, newestDescendant(tree, this.tip.id), all, this.trial);
  }
}

/** The path to an entry from the first entry that is present. */
function pathTo(tree: Map<string, HistoryEntry>, id: string) {
  const path = [];
  let one = tree.get(id);
  while (one && path.length < tree.size) {
    path.push(one);
    one = one.parent === null ? undefined : tree.get(one.parent);
  }
  return path.reverse();
}

/** The end of the newest continuation, without trial branches. */
function newestDescendant(tree: Map<string, HistoryEntry>, id: string) {
  const newestChild: Map<string, HistoryEntry> = new Map();
  for (const one of tree.values()) {
    const rival = one.parent === null ? undefined : newestChild.get(one.parent);
    const continues = one.parent !== null && one.suppose === undefined;
    if (continues && (!rival || isLater(one, rival))) newestChild.set(one.parent as string, one);
  }
  let end = id;
  for (let steps = 0; steps < tree.size && newestChild.has(end); steps++)
    end = (newestChild.get(end) as HistoryEntry).id;
  return end;
}

/** The children of every entry, oldest first; under "" entries whose parent is missing. */
function childrenOf(tree: Map<string, HistoryEntry>) {
  const children: Map<string, HistoryEntry[]> = new Map();
  for (const one of tree.values()) {
    const parent = one.parent !== null && tree.has(one.parent) ? one.parent : "";
    children.set(parent, [...(children.get(parent) ?? []), one]);
  }
  for (const list of children.values()) list.sort((a, b) => (isLater(a, b) ? 1 : -1));
  return children;
}
