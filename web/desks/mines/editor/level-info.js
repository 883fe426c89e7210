/** How a puzzle stands in the game's list of levels: its ID, the next one, its tile, who made it. */

/** @typedef {import("../model.js").Position} Position */
/** @typedef {"id" | "next" | "tile" | "author"} Field */

const TAGS = { next: "NEXT_PUZZLE_ID", tile: "TILE_TEXT", author: "AUTHOR" };

/** What a field may hold; "" stands for nothing. @type {Readonly<Record<Field, RegExp>>} */
const FITS = {
  id: /^[A-Za-z0-9]{0,40}$/,
  next: /^[A-Za-z0-9]{0,40}$/,
  tile: /^.{0,3}$/u,
  author: /^.{0,80}$/u,
};

/** The fields in the order in which they are shown. */
export const FIELDS = /** @type {Field[]} */ (Object.keys(FITS));

/** @param {Position} position @returns {Record<Field, string>} */
export function levelOf({ puz }) {
  const texts = Object.fromEntries(puz?.meta ?? []);
  const { next, tile, author } = TAGS;
  return {
    id: puz?.id ?? "",
    next: texts[next] ?? "",
    tile: texts[tile] ?? "",
    author: texts[author] ?? "",
  };
}

/** The puzzle with one field set; null where the field cannot hold it. @param {Position} position @param {Field} field @param {string} text @returns {Position | null} */
export function levelled(position, field, text) {
  if (!FITS[field].test(text)) return null;
  const puz = position.puz ?? {};
  if (field === "id") return { ...position, puz: { ...puz, id: text } };
  const rest = (puz.meta ?? []).filter(([tag]) => tag !== TAGS[field]);
  const meta = text ? [...rest, /** @type {[string, string]} */ ([TAGS[field], text])] : rest;
  return { ...position, puz: { ...puz, meta: meta.length ? meta : null } };
}

/** What stays of a file once its cells are others. @param {Position} position @returns {Position["puz"]} */
export function unbound({ puz }) {
  if (!puz?.id && !puz?.meta) return null;
  return { id: puz.id ?? "", meta: puz.meta ?? null };
}
