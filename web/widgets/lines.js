/**
 * The lines of a pasted text as a pattern may look at them, whatever came.
 *
 * A pattern with two repetitions that can take the same blanks or line ends tries all ways to share
 * them: seconds for forty thousand empty lines. On these lines it can use one blank for any blanks.
 */

const LONGEST = 2000; // characters; no notation of a game has longer lines

/** Those with something in them, one blank between words. @param {string} text @returns {string[]} */
export function plainLines(text) {
  const lines = [];
  for (const line of text.split(/[\n\r\u2028\u2029]/)) {
    if (line.length > LONGEST) continue;
    const plain = line.trim().replace(/\s+/g, " ");
    if (plain) lines.push(plain);
  }
  return lines;
}
