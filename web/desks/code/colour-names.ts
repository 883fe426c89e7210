/**
 * How colours are written: digits, letters, names, emoji. The engine's symbols are 0-9, a-z; `signs` is the
 * position's list of signs by symbol, [] if colours are written as symbols.
 */

import type { Position } from "../../types/code.js";
import { legalGuess, rulesOf, SYMBOLS } from "./model.js";

const NAMES =
  "red green blue yellow orange purple white black brown pink cyan magenta violet grey gold silver".split(
    " ",
  );

/** The sets to choose from, each for any number of colours. */
export const SETS: Record<string, (colours: number) => string[]> = {
  zero: () => [],
  ones: (colours) => [..."123456789abcdefg"].slice(0, colours),
  colours: (colours) => [..."RGBYOPWKVCMTNSLI"].slice(0, colours),
  letters: (colours) => [..."ABCDEFGHIJKLMNOP"].slice(0, colours),
  names: (colours) => NAMES.slice(0, colours),
  emoji: (colours) => [..."🔴🟢🔵🟡🟠🟣🟤⚪⚫🟥🟩🟦🟨🟧🟪🟫"].slice(0, colours),
};

/** The palette number of a name, a letter or an emoji. */
const HUES: Record<string, number> = {
  blue: 0, b: 0, "🔵": 0, "🟦": 0, "💙": 0, red: 1, r: 1, "🔴": 1, "🟥": 1, "❤": 1,
  green: 2, g: 2, "🟢": 2, "🟩": 2, "💚": 2, yellow: 3, y: 3, "🟡": 3, "🟨": 3, "💛": 3, gold: 3, amber: 3,
  purple: 4, p: 4, violet: 4, v: 4, "🟣": 4, "🟪": 4, "💜": 4, grey: 5, gray: 5,
  pink: 6, magenta: 6, m: 6, crimson: 6, cyan: 7, c: 7, teal: 7, t: 7, turquoise: 7, aqua: 7,
  brown: 8, n: 8, "🟤": 8, "🟫": 8, "🤎": 8, tan: 8, white: 9, w: 9, silver: 9, s: 9, "⚪": 9, "⬜": 9, "🤍": 9,
  navy: 10, indigo: 10, i: 10, lime: 11, l: 11, olive: 11, orange: 12, o: 12, "🟠": 12, "🟧": 12, "🧡": 12,
  black: 13, k: 13, "⚫": 13, "⬛": 13, "🖤": 13, maroon: 15,
}; // biome-ignore format: a table

/** The letter on the peg of a coloured circle, square or heart, by palette number. */
const INITIALS: Record<number, string> = {
  0: "B",
  1: "R",
  2: "G",
  3: "Y",
  4: "P",
  8: "N",
  9: "W",
  12: "O",
  13: "K",
};

export const signsOf = (position: Position): string[] => position?.signs ?? [];

/** The name of the set with these signs, "" if it is none of `SETS`. */
export function setOf(signs: string[], colours: number) {
  const same = (set: string[]) => set.join(" ") === signs.join(" ");
  return Object.keys(SETS).find((name) => same(SETS[name](colours))) ?? "";
}

/** Signs for another number of colours: of the same set, or the present ones with more of their kind. */
export function resized(signs: string[], colours: number) {
  if (!signs.length || signs.length === colours) return signs;
  const set = setOf(signs, signs.length);
  if (set) return SETS[set](colours);
  const more = [...SETS.names(16), ...SETS.colours(16), ...SETS.emoji(16)].filter((s) => !signs.includes(s));
  const alike = more.filter((s) => s.length === signs[0].length);
  return [...signs, ...alike, ...more].slice(0, colours);
}

/** The sign of a symbol. */
export function signOf(symbol: string, signs: string[]) {
  return symbol === "." || !symbol ? symbol : (signs[SYMBOLS.indexOf(symbol)] ?? symbol);
}

/** A code sign by sign, for screen readers. */
export const spokenCode = (code: string, signs: string[]) => [...code].map((s) => signOf(s, signs)).join(" ");

/** A code in signs, with spaces between names. */
export function spelled(code: string, signs: string[]) {
  return [...code].map((s) => signOf(s, signs)).join(signs.some((s) => /^\p{L}{2,}$/u.test(s)) ? " " : "");
}

/**
 * Typed guesses as symbols, and the signs they are written in: the position's, or a known set if it has
 * neither signs nor rows. Null if one of them is not readable. Digits are symbols unless the signs are digits.
 */
export function codesOf(texts: string[], position: Position) {
  const rules = rulesOf(position);
  const own = signsOf(position);
  const open = !own.length && !position.clues?.length;
  const emoji = [..."🔴🟢🔵🟡🟠🟣🟤⚪⚫"].slice(0, rules.colours);
  const squares = [..."🟥🟩🟦🟨🟧🟪🟫⬜⬛"].slice(0, rules.colours);
  const known = [
    SETS.colours(rules.colours),
    SETS.letters(rules.colours),
    SETS.names(rules.colours),
    emoji,
    squares,
  ];
  for (const signs of [own, ...(open ? known : [])]) {
    const codes = texts.map((text) => codeOf(text, signs));
    if (codes.every((code) => legalGuess(rules, code))) return { codes, signs };
  }
  return null;
}

/** One guess as symbols; other characters are unchanged. */
function codeOf(text: string, signs: string[]) {
  const plain = (s: string) => s.toLowerCase().replaceAll("\ufe0f", "");
  const small = plain(text).trim();
  const digits = !signs.some((sign) => /^\d$/.test(sign)) && /^[\d\s,;|/.]+$/.test(small);
  if (!signs.length || digits) return small.replaceAll(/[\s,;|/]+/g, "");
  const places = signs.map((sign, i) => ({ sign: plain(sign), symbol: SYMBOLS[i] }));
  places.sort((a, b) => b.sign.length - a.sign.length);
  let code = "";
  for (let rest = small; rest; rest = rest.replace(/^[\s,;|/]+/, "")) {
    const found = places.find(({ sign }) => rest.startsWith(sign));
    const taken = found?.sign ?? [...rest][0];
    code += found?.symbol ?? (taken === "_" ? "." : taken);
    rest = rest.slice(taken.length);
  }
  return code;
}

/** The text on a peg: the sign, of a name its first one or two letters. */
export function labelOf(symbol: string, signs: string[]) {
  const sign = signOf(symbol, signs);
  if (/\p{Extended_Pictographic}/u.test(sign) && !/^\d/.test(sign))
    return new Set(signs.map((s) => HUES[s])).size === signs.length ? (INITIALS[HUES[sign]] ?? sign) : sign;
  if (symbol === "." || !/^\p{L}{2,}$/u.test(sign)) return symbol === "." ? "" : sign;
  const alone = signs.filter((s) => s[0] === sign[0]).length === 1;
  return (alone ? sign[0] : sign.slice(0, 2)).replace(/^./, (c) => c.toUpperCase());
}

/** The palette number of a symbol's peg. */
export function hueOf(symbol: string, signs: string[]) {
  const place = SYMBOLS.indexOf(symbol);
  const known = signs.map((s) => HUES[s.toLowerCase()]);
  const inOrder = setOf(signs, signs.length) === "letters";
  if (inOrder || known.some((hue) => hue === undefined) || new Set(known).size < known.length) return place;
  return known[place] ?? place;
}

/** The key of each colour: the first character of its sign if these differ, else 1-9, a-g. */
export function keysOf(signs: string[], colours: number) {
  if (!signs.length) return [...SYMBOLS.slice(0, colours)];
  const first = signs.map((s) => s[0].toLowerCase());
  const plain = first.every((c) => /[a-z0-9]/.test(c)) && new Set(first).size === first.length;
  return plain ? first : [..."123456789abcdefg"].slice(0, colours);
}
