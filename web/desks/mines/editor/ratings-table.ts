/** What is reported of many rated puzzles: kinds of moves, faults with their places, a table to save. */

import type { Rated } from "../../../types/mines.js";
import type { FaultFacts } from "../../desk.js";
import type { Position } from "../model.js";
import { words } from "../strings.js";

export type Row = { file: string; title: string; rated: Rated | null; fault: string; position?: Position };

const HEAD = ["file", "title", "difficulty", "thought", "no_guess", "moves", "kinds", "fault"];

const LEVEL = /\.(puz|json|txt|xml)$/i;
const NO_LEVEL = /(^|\/)(campaign\.txt$|\.|__MACOSX\/)/; // a campaign's list, what systems add

/** By name, numbers by size. */
export const inOrder = <T extends { name: string }>(list: T[]) =>
  [...list].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));

/** The puzzles in an archive, in their order. */
export const levelsOf = <T extends { name: string }>(list: T[]) =>
  inOrder(list.filter(({ name }) => LEVEL.test(name) && !NO_LEVEL.test(name)));

export const faultOf = ({ message, where }: FaultFacts) =>
  where && !where.startsWith("$") ? `${where}: ${message}` : message;

/** How many moves of each kind, in the order of the kinds. */
export function kindsOf({ path }: Pick<Rated, "path">) {
  const used = (path ?? []).map((move) => move.technique);
  const found = Object.keys(words.wish.kinds).filter((kind) => used.some((one) => one === kind));
  return Object.fromEntries(found.map((kind) => [kind, used.filter((one) => one === kind).length]));
}

/** A table for other programs, a file a line. */
export function csvOf(list: Row[]) {
  const quoted = (value: unknown) => {
    const text = String(value ?? "");
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = ({ file, title, rated, fault }: Row) => [
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
