/** The steps of a reason as a tree, and what each of them is about; nothing drawn. */

/** @typedef {Pick<import("../../types/mines.js").Deduction, "from" | "gives">} Deduction */
/**
 * @typedef {object} Node what follows and what it is made of
 * @property {number} step its index
 * @property {(string | Node)[]} from clue names, and steps
 * @property {boolean} again whether it stands elsewhere in the tree with its parents
 */

/** The steps as a tree whose root is the last one; a step that serves twice is spelled out once. @param {readonly Deduction[]} list @returns {Node} */
export function treeOf(list) {
  /** @type {Set<number>} */
  const seen = new Set();
  /** @param {number} step @returns {Node} */
  const node = (step) => {
    if (seen.has(step)) return { step, from: [], again: true };
    seen.add(step);
    const from = list[step].from.map((one) => (typeof one === "number" ? node(one) : one));
    return { step, from, again: false };
  };
  return node(list.length - 1);
}

/** The cells and the clues that a step is about. @param {readonly Deduction[] | null | undefined} list @param {number | null | undefined} at */
export function lightOf(list, at) {
  const step = at == null ? null : list?.[at];
  if (!list || !step) return null;
  const clues = step.from.filter((one) => typeof one === "string");
  const before = step.from.flatMap((one) => (typeof one === "number" ? list[one].gives.cells : []));
  return { cells: step.gives.cells, clues: /** @type {string[]} */ (clues), before };
}
