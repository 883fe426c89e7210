/**
 * Splits a pasted text into normalised lines that are safe for regular expressions.
 *
 * A pattern with two adjacent repetitions of blanks backtracks over all ways to divide them: seconds for
 * 40 000 empty lines. Here runs of blanks become one blank.
 */

const LONGEST = 2000; // characters; longer than the lines of any game's notation

/** The non-empty lines, with one blank between words. */
export function plainLines(text: string): string[] {
  const lines = [];
  for (const line of text.split(/[\n\r\u2028\u2029]/)) {
    if (line.length > LONGEST) continue;
    const plain = line.trim().replace(/\s+/g, " ");
    if (plain) lines.push(plain);
  }
  return lines;
}
