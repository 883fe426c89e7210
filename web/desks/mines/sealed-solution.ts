/** The solution of a sealed puzzle (see core/seal.py: obscured, not secret). */

import type { Position } from "./model.js";
import { drawnOf } from "./model.js";

export type Solution = { mines: Set<number>; secret: Set<number> };

const PURPOSE = "mines";
const opened: Map<string, Solution | null> = new Map();

/** The solution if it has been opened already. */
export function solutionOf(position: Position): Solution | null {
  return (position.sealed && opened.get(position.sealed)) || null;
}

/** Open the seal; null if it is damaged. */
export async function unseal(position: Position): Promise<Solution | null> {
  const { sealed } = position;
  if (!sealed) return null;
  if (!opened.has(sealed)) opened.set(sealed, await read(sealed).catch(() => null));
  return opened.get(sealed) ?? null;
}

export const countIn = (mines: Set<number>, cells: readonly number[]) =>
  cells.filter((c) => mines.has(c)).length;

/** What a safe cell shows when it is opened. */
export const shownAt = (position: Position, { mines, secret }: Solution, cell: number) => ({
  cell,
  number: secret.has(cell) ? null : countIn(mines, drawnOf(position).neighbours[cell]),
});

async function read(sealed: string): Promise<Solution> {
  if (!sealed.startsWith("s1")) throw new Error("unknown seal");
  const text = atob(sealed.slice(2).replaceAll("-", "+").replaceAll("_", "/"));
  const data = mask(Uint8Array.from(text, (char) => char.charCodeAt(0)));
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const [mines, secret] = JSON.parse(await new Response(stream).text());
  return { mines: new Set(mines), secret: new Set(secret) };
}

export function mask(data: Uint8Array<ArrayBuffer>) {
  let state = crc32(PURPOSE);
  return data.map((byte) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return byte ^ (state >>> 24);
  });
}

function crc32(text: string) {
  let crc = 0xffffffff;
  for (const char of text) {
    crc ^= char.charCodeAt(0);
    for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
