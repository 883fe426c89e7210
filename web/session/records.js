/**
 * Moments: the entries of the log that a history is drawn from, and the other small records next to
 * them. Everything kept is a record under a key that starts with its kind:
 *
 *   moment/code/<game>/<id>  {id, desk, game, parent, label, made, position, suppose?, turn?}, never
 *                            changed
 *   name/code/<moment>       {text, made}, the newest counts
 *   game/code/<game>         {text, made}, a name given to a game, the newest counts
 *   cursor/code/<tab>        {game, at, tip, view, made}, where that tab stands, the newest counts;
 *                            under left-<game> where a game stood that a tab went away from
 *   own/code/<field>         {value, made}, what lasts beyond a game (lasting.js); of a list an item is
 *                            one: own/code/<field>/<mark>
 *   shelf/<id>               {id, desk, name, fragment, saved}
 *   aside/<mark>             {key, why, value}, what could not be read
 *
 * A moment's id follows from its content, so that two keepers of records can always be joined: the
 * union, and of two records under one key the greater (`greater`). That is commutative, associative
 * and idempotent, whatever the order in which tabs and files arrive.
 *
 * @typedef {{id: string, desk: string, game: string, parent: string | null, label: string,
 *   made: number, position: unknown, suppose?: string, turn?: object}} Moment `parent` null: the
 *   beginning; `made` in ms since 1970, below 10^6 where no one knows; `suppose`: a branch that only
 *   tries something begins here, under that name; `turn`: what the step was made of, so that it can
 *   be made again elsewhere
 * @typedef {{text: string, made: number}} Name
 * @typedef {{game: string, at: string, tip: string, view: object, made: number}} Cursor
 * @typedef {Map<string, any>} Records any: a record of the kind that its key names
 */

/** The moment with its id. @param {Omit<Moment, "id">} content @returns {Moment} */
export function historyEntry({ desk, game, parent, label, made, position, suppose, turn }) {
  const more = { ...(suppose === undefined ? {} : { suppose }), ...(turn === undefined ? {} : { turn }) };
  const content = JSON.stringify([desk, game, parent, label, position, ...Object.values(more)]);
  const id = `${made.toString(36)}-${fingerprint(content)}`;
  return { id, desk, game, parent, label, made, position, ...more };
}

/** @param {Moment} one */
export function keyOf(one) {
  return `moment/${one.desk}/${one.game}/${one.id}`;
}

let newest = 0;

/** Now in ms, and later than any time this tab has used before. */
export function now() {
  newest = Math.max(newest + 1, Date.now());
  return newest;
}

/** Ten characters that no one else has drawn. */
export function random() {
  const drawn = crypto.getRandomValues(new Uint32Array(2));
  return `${drawn[0].toString(36)}${drawn[1].toString(36)}`.slice(0, 10);
}

/**
 * A text's mark of 64 bits, for telling apart; no protection against somebody who wants two alike.
 * Two FNV-1a sums of 32 bits with different beginnings.
 * @param {string} text
 */
export function fingerprint(text) {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ (unit + i), 0x85ebca6b);
    b ^= b >>> 13;
  }
  return (a >>> 0).toString(36).padStart(7, "0") + (b >>> 0).toString(36).padStart(7, "0");
}

/** @param {Records} here @param {Records} there @returns {Records} both of them */
export function mergeRecords(here, there) {
  const all = new Map(here);
  for (const [key, record] of there) all.set(key, all.has(key) ? newerRecord(all.get(key), record) : record);
  return all;
}

/** Of two records under one key the later; of two as late the one whose text is the greater. @template {object} T @param {T} a @param {T} b @returns {T} */
export function newerRecord(a, b) {
  const [timeA, timeB] = [timeOf(a), timeOf(b)];
  if (timeA !== timeB) return timeA > timeB ? a : b;
  return steady(a) >= steady(b) ? a : b;
}

/** @param {{made?: number, saved?: number}} record */
function timeOf(record) {
  return record?.made ?? record?.saved ?? 0;
}

/** The same text for equal values, whatever the order of their keys. @param {unknown} value @returns {string} */
function steady(value) {
  return JSON.stringify(value, (_, item) =>
    item && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Of two moments the later made; as late, the greater id. @param {Moment} a @param {Moment} b */
export function isLater(a, b) {
  return a.made === b.made ? a.id > b.id : a.made > b.made;
}
