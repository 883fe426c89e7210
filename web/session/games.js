/**
 * The stored games of a desk, for lists.
 *
 * @typedef {import("./records.js").Moment} Moment
 * @typedef {import("./records.js").Records} Records
 * @typedef {import("./store.js").Entry} Entry
 * @typedef {{game: string, name: string, begun: number, last: number, steps: number, position: unknown}} Game
 *   `name`: "" if none; `begun`, `last`: ms since 1970, 0 if unknown; `steps`: number of entries
 *   after the first; `position`: the last one shown
 */
import { isLater } from "./records.js";

const KNOWN = 1_000_000; // ms since 1970; smaller times only order entries

/** The newest first. @param {Records} records @param {string} desk @returns {Game[]} */
export function gamesIn(records, desk) {
  /** @type {Map<string, Moment[]>} */
  const games = new Map();
  for (const [key, one] of records)
    if (key.startsWith(`moment/${desk}/`)) games.set(one.game, [...(games.get(one.game) ?? []), one]);
  return [...games]
    .map(([game, moments]) => described(records, desk, game, moments))
    .sort((a, b) => b.last - a.last || (a.game < b.game ? 1 : -1));
}

/** @param {Records} records @param {string} desk @param {string} game @param {Moment[]} moments @returns {Game} */
function described(records, desk, game, moments) {
  const newest = moments.reduce((a, b) => (isLater(b, a) ? b : a));
  const place = placeIn(records, desk, game);
  const here = moments.find((one) => one.id === place?.at) ?? newest;
  const times = moments.map((one) => one.made).filter((made) => made > KNOWN);
  return {
    game,
    name: records.get(`game/${desk}/${game}`)?.text ?? "",
    begun: times.length ? Math.min(...times) : 0,
    last: times.length ? Math.max(...times) : 0,
    steps: moments.filter((one) => one.parent !== null).length,
    position: here.position,
  };
}

/** The newest cursor in that game. @param {Records} records @param {string} desk @param {string} game @returns {import("./records.js").Cursor | null} */
export function placeIn(records, desk, game) {
  let place = null;
  for (const [key, one] of records)
    if (key.startsWith(`cursor/${desk}/`) && one.game === game && one.made >= (place?.made ?? 0)) place = one;
  return place;
}

/** The keys of everything that belongs to a game. @param {Iterable<Entry>} entries @param {string} desk @param {string} game @returns {Entry[]} */
export function belongingTo(entries, desk, game) {
  const all = [...entries];
  const ids = new Set();
  for (const [key, one] of all) if (key.startsWith(`moment/${desk}/${game}/`)) ids.add(one?.id);
  return all.filter(
    ([key, one]) =>
      key.startsWith(`moment/${desk}/${game}/`) ||
      key === `game/${desk}/${game}` ||
      (key.startsWith(`cursor/${desk}/`) && one?.game === game) ||
      (key.startsWith(`name/${desk}/`) && ids.has(key.slice(`name/${desk}/`.length))),
  );
}
