/** What the start of Python takes: names and sizes in bytes, filled in by the build. */

/** @type {Record<string, number>} what every start needs */
export const FIRST = /* FIRST */ {};

/** Python's memory after its start (snapshot.js), under a name of its own for each build. @type {string} */
export const SNAPSHOT = /* SNAPSHOT */ "";

/** @type {Record<string, number>} what comes later or in the console */
export const LATER = /* LATER */ {};
