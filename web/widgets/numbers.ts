/**
 * Formats numbers: thin spaces between thousands, a dash for an unknown one; units are added by the
 * caller.
 */
export type Known = number | null | undefined;

const THIN = "\u202f";

/** 1296 → "1 296"; decimal strings of any length pass through the same way. */
export function whole(value: Known | string) {
  if (value == null) return "–";
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, THIN);
}

export function fixed(value: Known, digits: number = 2) {
  if (value == null) return "–";
  const [before, after] = value.toFixed(digits).replace("-", "−").split(".");
  return after ? `${whole(before)}.${after}` : whole(before);
}

/** 0.305 → "31 %"; never 0 or 100 % for what is not quite so. */
export function percent(value: number) {
  const rounded = Math.round(value * 100);
  if (rounded === 0 && value > 0) return "< 1 %";
  if (rounded === 100 && value < 1) return "> 99 %";
  return `${rounded} %`;
}

/** A random number for a question with a seed, 0 to 2^32 - 1. */
export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/** "1 code", "2 codes". */
export function count(value: Known | string, one: string, many: string) {
  return `${whole(value)} ${String(value) === "1" ? one : many}`;
}
