/**
 * The way through one game: its moments as a tree, the present one, and the way that redo follows.
 *
 * A frozen value: every step gives the next history. Nothing is ever dropped: a new step after an
 * undo is a branch next to the old one. The path runs from the beginning to the tip and holds the
 * present moment; undo and redo walk on it.
 *
 *   let way = History.begin("code", position);
 *   way = way.after(next, "Row 1 added").moved(-1).after(other, "Row 1 changed"); // two branches
 *   way = way.supposing("a 3 is in it").after(next, "Row 2 added").returned(); // tried, and back
 */
import { historyEntry, isLater, newerRecord, now, random } from "./records.js";

/** @typedef {import("./records.js").Moment} Moment */
/** @typedef {import("./records.js").Name} Name */
/** @typedef {{one: Moment, step: number, depth: number, first: boolean}} Row */

/** @template P */
export class History {
  /**
   * @param {Map<string, Moment>} tree every moment of the game by its id
   * @param {string} at the present one's id
   * @param {string} tip the id of the path's last one
   * @param {Map<string, Name>} [names] given to moments
   * @param {string | null} [trial] the name of the branch that the next step begins
   */
  constructor(tree, at, tip, names = new Map(), trial = null) {
    this.tree = tree;
    this.names = names;
    this.trial = trial;
    this.path = pathTo(tree, tip);
    if (!this.path.some((one) => one.id === at)) this.path = pathTo(tree, at);
    this.index = this.path.findIndex((one) => one.id === at);
  }

  /** A new game. @template Q @param {string} desk @param {Q} position @param {string} [label] @returns {History<Q>} */
  static begin(desk, position, label = "") {
    const made = now();
    const game = `${made.toString(36)}-${random()}`;
    const first = historyEntry({ desk, game, parent: null, label, made, position });
    return new History(new Map([[first.id, first]]), first.id, first.id);
  }

  get present() {
    return this.path[this.index];
  }

  /** @returns {P} */
  get position() {
    return /** @type {P} */ (this.present.position);
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

  /** The label of the step that undo would take back. */
  get undoLabel() {
    return this.canUndo ? this.present.label : "";
  }

  /** The label of the step that redo would do again. */
  get redoLabel() {
    return this.canRedo ? this.path[this.index + 1].label : "";
  }

  /** The name that a moment was given, or "". @param {Moment} one */
  nameOf(one) {
    return this.names.get(one.id)?.text ?? "";
  }

  /** A step from the present moment; one that was made from here before is not made twice. @param {P} position @param {string} label @param {object} [turn] what it was made of @returns {History<P>} */
  after(position, label, turn) {
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

  /** The next step begins a branch under that name, which only tries something. @param {string} name @returns {History<P>} */
  supposing(name) {
    return new History(this.tree, this.present.id, this.tip.id, this.names, name);
  }

  /** The name of what is being tried, or null. @returns {string | null} */
  get supposed() {
    return (
      this.trial ??
      this.path.slice(0, this.index + 1).findLast((one) => one.suppose !== undefined)?.suppose ??
      null
    );
  }

  /** Back to the moment before what is being tried; redo goes on with the game. @returns {History<P>} */
  returned() {
    const first = this.path.slice(0, this.index + 1).findLast((one) => one.suppose !== undefined);
    const before = this.trial === null ? this.tree.get(first?.parent ?? "") : this.present;
    if (!before) return this;
    return new History(this.tree, before.id, newestUnder(this.tree, before.id), this.names);
  }

  /** The same way with a name on the present moment. @param {string} text @returns {History<P>} */
  marked(text) {
    const names = new Map(this.names).set(this.present.id, { text, made: now() });
    return new History(this.tree, this.present.id, this.tip.id, names);
  }

  /** @param {number} steps negative goes back @returns {History<P>} */
  moved(steps) {
    const to = Math.min(Math.max(this.index + steps, 0), this.path.length - 1);
    return new History(this.tree, this.path[to].id, this.tip.id, this.names);
  }

  /** To any moment of the game; off the path, its newest branch becomes the path. @param {string} id @returns {History<P>} */
  to(id) {
    if (!this.tree.has(id)) return this;
    const tip = this.path.some((one) => one.id === id) ? this.tip.id : newestUnder(this.tree, id);
    return new History(this.tree, id, tip, this.names);
  }

  /**
   * Every moment in the order of a list: the game, and after a moment the branches that leave it
   * there, the oldest first. `depth` 0 is the game: the path, but for what only tries something;
   * where the path ends, the newest way on. `step` counts from the beginning.
   * `first`: a branch begins here.
   * @returns {Row[]}
   */
  listed() {
    const children = childrenOf(this.tree);
    const onPath = new Set(this.path.map((one) => one.id));
    const rows = [];
    const wait = [{ one: /** @type {Moment} */ (this.path[0]), step: 0, depth: 0, first: false }];
    for (const one of children.get("") ?? [])
      if (!onPath.has(one.id)) wait.unshift({ one, step: 0, depth: 1, first: true });
    for (let row = wait.pop(); row && rows.length < this.tree.size; row = wait.pop()) {
      rows.push(row);
      const { one, step, depth } = row;
      const next = children.get(one.id) ?? [];
      const plain = next.filter((child) => child.suppose === undefined);
      const main = plain.find((child) => onPath.has(child.id)) ?? plain.at(-1);
      if (main) wait.push({ one: main, step: step + 1, depth, first: false });
      // Branches are reported first, so that the game goes on below them.
      for (const child of next.filter((each) => each !== main).reverse())
        wait.push({ one: child, step: step + 1, depth: depth + 1, first: true });
    }
    return rows;
  }

  /** With moments that came from elsewhere; who stands at the tip can redo what was done from there. @param {Iterable<Moment>} moments @param {Iterable<[string, Name]>} [names] @returns {History<P>} */
  joined(moments, names = []) {
    const tree = new Map(this.tree);
    for (const one of moments) if (!tree.has(one.id)) tree.set(one.id, one);
    const all = new Map(this.names);
    for (const [id, name] of names) if (tree.has(id)) all.set(id, newerRecord(all.get(id) ?? name, name));
    return new History(tree, this.present.id, newestUnder(tree, this.tip.id), all, this.trial);
  }
}

/** From the beginning, or from the first moment that is here, to that one. @param {Map<string, Moment>} tree @param {string} id */
function pathTo(tree, id) {
  const path = [];
  let one = tree.get(id);
  while (one && path.length < tree.size) {
    path.push(one);
    one = one.parent === null ? undefined : tree.get(one.parent);
  }
  return path.reverse();
}

/** The end of the newest way on from there; what only tried something is none. @param {Map<string, Moment>} tree @param {string} id */
function newestUnder(tree, id) {
  /** @type {Map<string, Moment>} */
  const newestChild = new Map();
  for (const one of tree.values()) {
    const rival = one.parent === null ? undefined : newestChild.get(one.parent);
    const way = one.parent !== null && one.suppose === undefined;
    if (way && (!rival || isLater(one, rival))) newestChild.set(/** @type {string} */ (one.parent), one);
  }
  let end = id;
  for (let steps = 0; steps < tree.size && newestChild.has(end); steps++)
    end = /** @type {Moment} */ (newestChild.get(end)).id;
  return end;
}

/** Every moment's followers, the oldest first; under "" those whose forerunner is not here. @param {Map<string, Moment>} tree */
function childrenOf(tree) {
  /** @type {Map<string, Moment[]>} */
  const children = new Map();
  for (const one of tree.values()) {
    const parent = one.parent !== null && tree.has(one.parent) ? one.parent : "";
    children.set(parent, [...(children.get(parent) ?? []), one]);
  }
  for (const list of children.values()) list.sort((a, b) => (isLater(a, b) ? 1 : -1));
  return children;
}
