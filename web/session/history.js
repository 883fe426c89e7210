/**
 * The position and the way back: an immutable list of moments with a cursor.
 *
 * A moment is a position and the label of the step that led to it ("Row 2 changed"). Nothing is
 * ever dropped but what a new step overwrites.
 *
 * @template P
 * @typedef {{position: P, label: string, mark?: string}} Moment
 */

/** @template P */
export class History {
  /**
   * @param {Moment<P>[]} moments at least one
   * @param {number} at index of the present
   */
  constructor(moments, at = moments.length - 1) {
    this.moments = moments;
    this.at = at;
  }

  /** @template Q @param {Q} position @param {string} [label] @returns {History<Q>} */
  static from(position, label = "") {
    return new History([{ position, label }]);
  }

  get position() {
    return this.moments[this.at].position;
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.moments.length - 1;
  }

  /** The label of the step that undo would take back. */
  get undoLabel() {
    return this.canUndo ? this.moments[this.at].label : "";
  }

  /** The label of the step that redo would do again. */
  get redoLabel() {
    return this.canRedo ? this.moments[this.at + 1].label : "";
  }

  /** @param {P} position @param {string} label @returns {History<P>} */
  after(position, label) {
    const kept = this.moments.slice(0, this.at + 1);
    return new History([...kept, { position, label }]);
  }

  /** The same way with a name on the present moment. @param {string} mark @returns {History<P>} */
  marked(mark) {
    const named = { ...this.moments[this.at], mark };
    return new History(this.moments.with(this.at, named), this.at);
  }

  /** @param {number} steps negative goes back @returns {History<P>} */
  moved(steps) {
    const at = Math.min(Math.max(this.at + steps, 0), this.moments.length - 1);
    return new History(this.moments, at);
  }
}
