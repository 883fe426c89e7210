/** Several puzzles as one archive for the game: every level leads to the next. */
import { zipOf } from "../../widgets/zipped.js";

/** @typedef {import("./model.js").Position} Position */
/** @typedef {{position: Position, title: string, score: number | null, steps: readonly number[]}} Level */
/** @typedef {(position: Position, options: {id?: string, next?: string}) => Promise<string>} Write a puzzle as a file */

const BARS = "▁▂▃▄▅▆▇█";
const ID = /<PUZZLE>\s*<ID>([^<]*)</;

/** Two levels have one ID: the game would show only one of them. */
export class Twice extends Error {
  /** @param {number} first @param {number} second their places in the list */
  constructor(first, second) {
    super();
    this.first = first;
    this.second = second;
  }
}

/**
 * The archive with the levels in order, and a list of them with every curve.
 * @param {readonly Level[]} levels @param {Write} write @returns {Promise<Blob>} Raises Twice.
 */
export async function campaignOf(levels, write) {
  /** @type {string[]} */
  const ids = [];
  for (const { position } of levels) ids.push(ID.exec(await write(position, {}))?.[1] ?? "");
  const second = ids.findIndex((id, i) => ids.indexOf(id) < i);
  if (second >= 0) throw new Twice(ids.indexOf(ids[second]) + 1, second + 1);
  const files = [];
  const told = ["order  id  score  title  curve"];
  for (const [i, { position, title, score, steps }] of levels.entries()) {
    const text = await write(position, { id: ids[i], next: ids[i + 1] ?? "" });
    files.push({ name: `${String(i + 1).padStart(3, "0")}-${ids[i]}.puz`, text });
    const curve = steps.map((step) => BARS[Math.min(step, BARS.length) - 1]).join("");
    told.push(`${i + 1}  ${ids[i]}  ${score?.toFixed(2) ?? "–"}  ${title || "–"}  ${curve}`);
  }
  files.push({ name: "campaign.txt", text: `${told.join("\n")}\n` });
  return zipOf(files);
}
