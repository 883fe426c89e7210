/** What is reported of many rated puzzles: kinds of moves, faults with their places, a table to save. */
import { words } from "../strings.js";

/** @typedef {{file: string, title: string, rated: import("../../../types/mines.js").Rated | null, fault: string, position?: import("../model.js").Position}} Row */

const HEAD = ["file", "title", "difficulty", "thought", "no_guess", "moves", "kinds", "fault"];

const LEVEL = /\.(puz|json|txt|xml)$/i;
const NO_LEVEL = /(^|\/)(campaign\.txt$|\.|__MACOSX\/)/; // a campaign's list, what systems add

/** By name, numbers by size. @template {{name: string}} T @param {T[]} list */
export const inOrder = (list) =>
  [...list].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));

/** The puzzles in an archive, in their order. @template {{name: string}} T @param {T[]} list */
export const levelsOf = (list) =>
  inOrder(list.filter(({ name }) => LEVEL.test(name) && !NO_LEVEL.test(name)));

/** @param {import("../../desk.js").FaultFacts} fault */
export const faultOf = ({ message, where }) =>
  where && !where.startsWith("$") ? `${where}: ${message}` : message;

/** How many moves of each kind, in the order of the kinds. @param {Pick<import("../../../types/mines.js").Rated, "path">} rated */
export function kindsOf({ path }) {
  const used = (path ?? []).map((move) => move.technique);
  const found = Object.keys(words.wish.kinds).filter((kind) => used.some((one) => one === kind));
  return Object.fromEntries(found.map((kind) => [kind, used.filter((one) => one === kind).length]));
}

/** A table for other programs, a file a line. @param {Row[]} list */
export function csvOf(list) {
  const quoted = (/** @type {unknown} */ value) => {
    const text = String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = (/** @type {Row} */ { file, title, rated, fault }) => [
    file,
    title,
    rated?.smooth ?? "",
    rated?.thought ?? "",
    rated?.no_guess ?? "",
    rated?.path?.length ?? "",
    Object.entries(rated ? kindsOf(rated) : {})
      .map(([kind, n]) => `${kind}:${n}`)
      .join(" "),
    fault,
  ];
  return [HEAD, ...list.map(line)].map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
}
