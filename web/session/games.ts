/** The stored games of a desk, for lists. */
/**
 * `name`: "" if none; `begun`, `last`: ms since 1970, 0 if unknown; `steps`: number of entries
 * after the first; `position`: the last one shown
 */
export type Game = {
  game: string;
  name: string;
  begun: number;
  last: number;
  steps: number;
  position: unknown;
};

import type { Cursor, Moment, Records } from "./records.js";
import { isLater } from "./records.js";
import type { Entry } from "./store.js";

const KNOWN = 1_000_000; // ms since 1970; smaller times only order entries

/** The newest first. */
export function gamesIn(records: Records, desk: string): Game[] {
  const games: Map<string, Moment[]> = new Map();
  for (const [key, one] of records)
    if (key.startsWith(`moment/${desk}/`)) games.set(one.game, [...(games.get(one.game) ?? []), one]);
  return [...games]
    .map(([game, moments]) => described(records, desk, game, moments))
    .sort((a, b) => b.last - a.last || (a.game < b.game ? 1 : -1));
}

function described(records: Records, desk: string, game: string, moments: Moment[]): Game {
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

/** The newest cursor in that game. */
export function placeIn(records: Records, desk: string, game: string): Cursor | null {
  let place = null;
  for (const [key, one] of records)
    if (key.startsWith(`cursor/${desk}/`) && one.game === game && one.made >= (place?.made ?? 0)) place = one;
  return place;
}

/** The keys of everything that belongs to a game. */
export function belongingTo(entries: Iterable<Entry>, desk: string, game: string): Entry[] {
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
