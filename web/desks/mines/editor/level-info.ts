/** How a puzzle stands in the game's list of levels: its ID, the next one, its tile, who made it. */

import type { Position } from "../model.js";

export type Field = "id" | "next" | "tile" | "author";

const TAGS = { next: "NEXT_PUZZLE_ID", tile: "TILE_TEXT", author: "AUTHOR" };

/** What a field may hold; "" stands for nothing. */
const FITS: Readonly<Record<Field, RegExp>> = {
  id: /^[A-Za-z0-9]{0,40}$/,
  next: /^[A-Za-z0-9]{0,40}$/,
  tile: /^.{0,3}$/u,
  author: /^.{0,80}$/u,
};

/** The fields in the order in which they are shown. */
export const FIELDS = Object.keys(FITS) as Field[];

export function levelOf({ puz }: Position): Record<Field, string> {
  const texts = Object.fromEntries(puz?.meta ?? []);
  const { next, tile, author } = TAGS;
  return {
    id: puz?.id ?? "",
    next: texts[next] ?? "",
    tile: texts[tile] ?? "",
    author: texts[author] ?? "",
  };
}

/** The puzzle with one field set; null where the field cannot hold it. */
export function levelled(position: Position, field: Field, text: string): Position | null {
  if (!FITS[field].test(text)) return null;
  const puz = position.puz ?? {};
  if (field === "id") return { ...position, puz: { ...puz, id: text } };
  const rest = (puz.meta ?? []).filter(([tag]) => tag !== TAGS[field]);
  const meta = text ? [...rest, [TAGS[field], text] as [string, string]] : rest;
  return { ...position, puz: { ...puz, meta: meta.length ? meta : null } };
}

/** What stays of a file once its cells are others. */
export function unbound({ puz }: Position): Position["puz"] {
  if (!puz?.id && !puz?.meta) return null;
  return { id: puz.id ?? "", meta: puz.meta ?? null };
}
