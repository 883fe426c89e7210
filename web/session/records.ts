/**
 * Records: history entries and the other stored values. The key of a record names its kind:
 *
 *   moment/code/<game>/<id>  {id, desk, game, parent, label, made, position, suppose?, turn?}, never
 *                            changed
 *   name/code/<moment>       {text, made}, name of an entry; newest wins
 *   game/code/<game>         {text, made}, name of a game; newest wins
 *   cursor/code/<tab>        {game, at, tip, view, made}, a tab's current entry; newest wins;
 *                            under left-<game> the last one of a game that a tab left
 *   own/code/<field>         {value, made}, a preference (preferences.js); an item of a list has
 *                            own/code/<field>/<mark>
 *   shelf/<id>               {id, desk, name, fragment, saved}
 *   aside/<mark>             {key, why, value}, an unreadable entry
 *
 * An entry's id is a hash of its content. Two sets of records are merged by union; of two records under
 * one key the greater wins (`greater`). The merge is commutative, associative and idempotent, so the
 * order of tabs and files does not matter. `parent` null: the
 *   first entry; `made` in ms since 1970, below 10^6 if unknown; `suppose`: a trial branch of that
 *   name begins here; `turn`: the desk's data of the step, to repeat it in another branch
 */
export type Moment = {
  id: string;
  desk: string;
  game: string;
  parent: string | null;
  label: string;
  made: number;
  position: unknown;
  suppose?: string;
  turn?: object;
};
export type Name = { text: string; made: number };
export type Cursor = { game: string; at: string; tip: string; view: object; made: number };
/** any: a record of its key's kind */
export type Records = Map<string, any>;

/** Adds the id to an entry. */
export function historyEntry({
  desk,
  game,
  parent,
  label,
  made,
  position,
  suppose,
  turn,
}: Omit<Moment, "id">): Moment {
  const more = { ...(suppose === undefined ? {} : { suppose }), ...(turn === undefined ? {} : { turn }) };
  const content = JSON.stringify([desk, game, parent, label, position, ...Object.values(more)]);
  const id = `${made.toString(36)}-${fingerprint(content)}`;
  return { id, desk, game, parent, label, made, position, ...more };
}

export function keyOf(one: Moment) {
  return `moment/${one.desk}/${one.game}/${one.id}`;
}

let newest = 0;

/** The current time in ms, strictly increasing in this tab. */
export function now() {
  newest = Math.max(newest + 1, Date.now());
  return newest;
}

/** A random id of ten characters. */
export function random() {
  const drawn = crypto.getRandomValues(new Uint32Array(2));
  return `${drawn[0].toString(36)}${drawn[1].toString(36)}`.slice(0, 10);
}

/**
 * A 64-bit hash of a text, not collision-resistant against attacks: two 32-bit FNV-1a hashes with
 * different offsets.
 */
export function fingerprint(text: string) {
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

/** @returns the union */
export function mergeRecords(here: Records, there: Records): Records {
  const all = new Map(here);
  for (const [key, record] of there) all.set(key, all.has(key) ? newerRecord(all.get(key), record) : record);
  return all;
}

/** The later of two records under one key; at equal times the one with the greater text. */
export function newerRecord<T extends object>(a: T, b: T): T {
  const [timeA, timeB] = [timeOf(a), timeOf(b)];
  if (timeA !== timeB) return timeA > timeB ? a : b;
  return steady(a) >= steady(b) ? a : b;
}

function timeOf(record: { made?: number; saved?: number }) {
  return record?.made ?? record?.saved ?? 0;
}

/** A canonical text of a value, independent of key order. */
function steady(value: unknown): string {
  return JSON.stringify(value, (_, item) =>
    item && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Whether an entry is later; at equal times by id. */
export function isLater(a: Moment, b: Moment) {
  return a.made === b.made ? a.id > b.id : a.made > b.made;
}
