/**
 * A position as the text after the # of the address, and back; the only module that knows
 * `location`. The same codec as cluewise/links.py, tested on the same vectors.
 */
import { lean } from "../validate.js";
import { fromBase64, toBase64 } from "./base64.js";
import { adviceIn } from "./sender-advice.js";

export const VERSION = 1;
const DECODED_LIMIT = 256 * 1024; // bytes of JSON; a link is a position, not a file
const FORM =
  /^(?:[^#]*#)?\/?([a-z]+)(?:\/(\d{1,4})\/([^/?#\s]*)(?:\/([^/?#\s]+))?|\/([a-z]+(?:-[a-z]+)*))?\/?$/;

/** What follows a link in a sentence: ")", ".", "”" and the like, also as a browser escapes them. No link ends in one. */
const AFTER = /(?:[^\w/#-]|%[0-9a-f]{2})+$/i;

/** A link that cannot be read; its message is a sentence for a person. */
export class BadLink extends Error {}

/** A link of a later version of links. */
export class LaterLink extends BadLink {}

/** @param {string} text */
function matched(text) {
  const whole = text.trim();
  return FORM.exec(whole.includes("/") ? whole.replace(AFTER, "") : whole);
}

/** The fragment of a position, `#/code/1/…`. @param {string} desk @param {unknown} position @returns {Promise<string>} */
export async function encode(desk, position) {
  const text = canonical(desk, position);
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return `#/${desk}/${VERSION}/${toBase64(packed)}`;
}

/**
 * @param {string} text a whole link or its fragment
 * @returns {Promise<{desk: string, position: Record<string, unknown>, said: string} | {desk: string, name: string} | null>} null where
 *   the text names only a desk; `name` where it names a position instead of holding one; `said` is the sender's advice, "" without one
 */
export async function decode(text) {
  const match = matched(text);
  if (!match) throw new BadLink("This is not a Cluewise link. Links look like #/code/1/…");
  const [, desk, version, payload = "", said = "", name] = match;
  if (name) return { desk, name };
  if (version === undefined) return null;
  if (Number(version) !== VERSION)
    throw new LaterLink(`This link is of version ${version}; this page reads version 1.`);
  const position = parse(await inflate(payload));
  if (!position || typeof position !== "object" || Array.isArray(position))
    throw new BadLink("The link is damaged: it does not hold a position.");
  if ((position.desk ?? desk) !== desk)
    throw new BadLink(`The link names the ${desk} desk, but its position names another.`);
  return { desk, position: { ...position, desk, v: VERSION }, said: adviceIn(payload, said) };
}

/** The desk that a fragment names, or "" if none. @param {string} text */
export function deskOf(text) {
  return matched(text)?.[1] ?? "";
}

/** The fragment of a position that has a name, `#/sudoku/rspzfgc`. @param {string} desk @param {string} name */
export const named = (desk, name) => `#/${desk}/${name}`;

/** Why a fragment leads to no desk, in a sentence. @param {string} text */
export function whyUnknown(text) {
  const desk = deskOf(text);
  return desk ? `There is no desk “${desk}”.` : "This is not a Cluewise link. Links look like #/code/1/…";
}

/** The fragment in the address bar. */
export function current() {
  return location.hash;
}

/** The address in full, with another fragment. @param {string} fragment */
export function address(fragment) {
  return location.href.replace(/#.*$/, "") + fragment;
}

/** The fragment that we last wrote or received. */
let known = globalThis.location?.hash ?? "";

/**
 * Write the fragment without a new entry in the browser's own history; not where somebody has gone
 * elsewhere meanwhile, which we are about to hear.
 * @param {string} fragment
 */
export function write(fragment) {
  if (location.hash !== known) return;
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
  known = location.hash;
}

/** Follow the address bar: `listener` hears every fragment that we did not write ourselves. @param {(fragment: string) => void} listener */
export function follow(listener) {
  addEventListener("hashchange", () => {
    if (location.hash === known) return; // back from a dialog
    known = location.hash;
    listener(known);
  });
}

/** Write again what the address held before the browser went back from a dialog. */
export function writeAgain() {
  if (location.hash !== known) history.replaceState(null, "", known || location.pathname + location.search);
}

/** What another app shared with this one, which then leaves the address; "" if nothing. */
export function takeShared() {
  const asked = new URLSearchParams(location.search);
  const text = ["title", "text", "url"]
    .map((name) => asked.get(name)?.trim())
    .filter(Boolean)
    .join("\n");
  if (text) history.replaceState(null, "", location.pathname + location.hash);
  return text;
}

/** The address of a board that is only looked at, for a frame in another page. @param {string} address */
export function embedded(address) {
  const [page, fragment = ""] = address.split("#", 2);
  return `${page.replace(/\?.*$/, "")}?embed=1#${fragment}`;
}

/** Query words such as `?embed=1`. @param {string} name */
export function query(name) {
  return new URLSearchParams(location.search).get(name);
}

/** A position's one text: sorted keys, and nothing that equals its default. @param {string} desk @param {unknown} position */
export function canonical(desk, position) {
  return JSON.stringify(lean(desk, position));
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLink("The link is damaged: it does not hold a position.");
  }
}

/** @param {string} payload */
async function inflate(payload) {
  const bytes = fromBase64(payload);
  if (!bytes) throw new BadLink("The link is damaged: part of it is missing or changed.");
  try {
    const data = await through(bytes, new DecompressionStream("deflate-raw"), DECODED_LIMIT);
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch (problem) {
    if (problem instanceof BadLink) throw problem;
    throw new BadLink("The link is damaged: part of it is missing or changed.");
  }
}

/**
 * @param {Uint8Array} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} [limit] refuse once more than that many bytes have come out
 */
async function through(bytes, stream, limit = Number.POSITIVE_INFINITY) {
  const writer = stream.writable.getWriter();
  // A broken stream rejects both ends; the reading end tells.
  writer.write(/** @type {Uint8Array<ArrayBuffer>} */ (bytes)).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      reader.cancel().catch(() => {});
      throw new BadLink(`The link holds more than ${limit / 1024} KB, the limit.`);
    }
    chunks.push(value);
  }
  return joined(chunks, size);
}

/** A Blob would do this in the browser's other process: 4 ms at each change of a position. @param {Uint8Array[]} chunks @param {number} size */
function joined(chunks, size) {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
