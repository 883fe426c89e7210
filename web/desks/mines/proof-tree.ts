/** The steps of a reason as a tree, and what each of them is about; nothing drawn. */

export type Deduction = Pick<import("../../types/mines.js").Deduction, "from" | "gives">;
/** what follows and what it is made of */
export interface Node {
  /** its index */
  step: number;
  /** clue names, and steps */
  from: (string | Node)[];
  /** whether it stands elsewhere in the tree with its parents */
  again: boolean;
}

/** The steps as a tree whose root is the last one; a step that serves twice is spelled out once. */
export function treeOf(list: readonly Deduction[]): Node {
  const seen: Set<number> = new Set();
  const node = (step: number): Node => {
    if (seen.has(step)) return { step, from: [], again: true };
    seen.add(step);
    const from = list[step].from.map((one) => (typeof one === "number" ? node(one) : one));
    return { step, from, again: false };
  };
  return node(list.length - 1);
}

/** The cells and the clues that a step is about. */
export function lightOf(list: readonly Deduction[] | null | undefined, at: number | null | undefined) {
  const step = at == null ? null : list?.[at];
  if (!list || !step) return null;
  const clues = step.from.filter((one) => typeof one === "string");
  const before = step.from.flatMap((one) => (typeof one === "number" ? list[one].gives.cells : []));
  return { cells: step.gives.cells, clues: clues as string[], before };
}
