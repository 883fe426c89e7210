/**
 * Encodes a position as the fragment of the address, and decodes it; the only module that uses
 * `location`. The same codec as cluewise/links.py, tested with the same vectors. Positions are equal where
 * their links are, and a link gives a position as Python source.
 */

import { DESKS } from "../types/desks.js";
import { lean } from "../validate.js";
import { joined, toBase64 } from "../widgets/bytes.js";

export const VERSION = 1;
const DECODED_LIMIT = 256 * 1024; // bytes of JSON
const FORM =
  /^(?:[^#]*#)?\/?([a-z]+)(?:\/(\d{1,4})\/([^/?#\s]*)(?:\/([^/?#\s]+))?|\/([a-z]+(?:-[a-z]+)*))?\/?$/;

/** Punctuation after a link in a sentence, also percent-encoded. No link ends in such a character. */
const AFTER = /(?:[^\w/#-]|%[0-9a-f]{2})+$/i;

export const NO_LINK = "This is not a Cluewise link. Links look like #/code/1/…";
const NO_POSITION = "The link is damaged: it does not hold a position.";
const INCOMPLETE = "The link is damaged: part of it is missing or changed.";

/** A link that cannot be read; its message is shown. */
export class BadLink extends Error {}

/** A link of a newer version. */
export class LaterLink extends BadLink {}

function matched(text: string) {
  const whole = text.trim();
  return FORM.exec(whole.includes("/") ? whole.replace(AFTER, "") : whole);
}

/** The fragment of a position, `#/code/1/…`. */
export async function encode(desk: string, position: unknown): Promise<string> {
  const text = canonical(desk, position);
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return `#/${desk}/${VERSION}/${toBase64Url(packed)}`;
}

/**
 * @param text a whole link or its fragment
 * @returns null if the text names only a desk; `name` for a named position; `said` is the sender's advice or ""
 */
export async function decode(
  text: string,
): Promise<
  { desk: string; position: Record<string, unknown>; said: string } | { desk: string; name: string } | null
> {
  const match = matched(text);
  if (!match) throw new BadLink(NO_LINK);
  const [, desk, version, payload = "", said = "", name] = match;
  if (name) return { desk, name };
  if (version === undefined) return null;
  if (Number(version) !== VERSION)
    throw new LaterLink(`This link is of version ${version}; this page reads version 1.`);
  const position = parse(await inflate(payload));
  if (!position || typeof position !== "object" || Array.isArray(position)) throw new BadLink(NO_POSITION);
  if ((position.desk ?? desk) !== desk)
    throw new BadLink(`The link names the ${desk} desk, but its position names another.`);
  return { desk, position: { ...position, desk, v: VERSION }, said: adviceIn(payload, said) };
}

/** The desk that a fragment names, or "" if none. */
export function deskOf(text: string) {
  return matched(text)?.[1] ?? "";
}

/** The fragment of a position that has a name, `#/sudoku/rspzfgc`. */
export const named = (desk: string, name: string) => `#/${desk}/${name}`;

/** Why a fragment opens no desk, as a sentence. */
export function whyUnknown(text: string) {
  const desk = deskOf(text);
  return desk ? `There is no desk “${desk}”.` : NO_LINK;
}

/** The fragment in the address bar. */
export function current() {
  return location.hash;
}

/** The address in full, with another fragment. */
export function address(fragment: string) {
  return location.href.replace(/#.*$/, "") + fragment;
}

/** The fragment last written or received. */
let known = globalThis.location?.hash ?? "";

/**
 * Writes the fragment without a new entry in the browser's history; not if the address has changed
 * meanwhile (its event follows).
 */
export function write(fragment: string) {
  if (location.hash !== known) return;
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
  known = location.hash;
}

/** Calls `listener` with every fragment that this page did not write. */
export function follow(listener: (fragment: string) => void) {
  addEventListener("hashchange", () => {
    if (location.hash === known) return; // back from a dialog
    known = location.hash;
    listener(known);
  });
}

/** Restores the fragment after the browser went back from a dialog. */
function writeAgain() {
  if (location.hash !== known) history.replaceState(null, "", known || location.pathname + location.search);
}

/** The text shared by another app, removed from the address; "" if none. */
export function takeShared() {
  const text = ["title", "text", "url"]
    .map((name) => query(name)?.trim())
    .filter(Boolean)
    .join("\n");
  if (text) history.replaceState(null, "", location.pathname + location.hash);
  return text;
}

/** The address of a read-only board, for a frame in another page. */
export function embedded(address: string) {
  const [page, fragment = ""] = address.split("#", 2);
  return `${page.replace(/\?.*$/, "")}?embed=1#${fragment}`;
}

/** The value of a query parameter, such as that of `?embed=1`, or null. */
export function query(name: string) {
  return new URLSearchParams(location.search).get(name);
}

/** A position's canonical text: sorted keys, without defaults. */
export function canonical(desk: string, position: unknown) {
  return JSON.stringify(lean(desk, position));
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadLink(NO_POSITION);
  }
}

async function inflate(payload: string) {
  const bytes = fromBase64(payload);
  if (!bytes) throw new BadLink(INCOMPLETE);
  try {
    const data = await through(bytes, new DecompressionStream("deflate-raw"), DECODED_LIMIT);
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch (problem) {
    throw problem instanceof BadLink ? problem : new BadLink(INCOMPLETE);
  }
}

/** @param limit most bytes of output; more are refused */
async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  limit: number = Number.POSITIVE_INFINITY,
) {
  const writer = stream.writable.getWriter();
  // A broken stream rejects both ends; the error is taken from the reading end.
  writer.write(bytes as Uint8Array<ArrayBuffer>).catch(() => {});
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
  return joined(chunks);
}

/** Base64url without padding (RFC 4648, section 5). */
const toBase64Url = (bytes: Uint8Array) =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** @returns null for a wrong alphabet or length */
function fromBase64(text: string): Uint8Array | null {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
}

/*
 * The sender's advice in a link: `#/DESK/1/PAYLOAD/SAID`.
 *
 * SAID is base64url of a CRC-32 (4 bytes, big-endian) and a text in UTF-8. The checksum is that of
 * the payload's characters followed by the text's bytes: it detects damage and a text that belongs
 * to another position. It does not detect a forged text, so the page never presents the text as its
 * own advice.
 */
const LONGEST = 60; // code points
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u; // no control, format or line separator characters

/** Whether a text is allowed as advice in a link. */
const fits = (text: string) => PRINTABLE.test(text) && [...text].length <= LONGEST;

/**
 * The fragment with the text added; unchanged where the text is empty, too long or not printable.
 * @param fragment `#/code/1/q1Z…`
 * @param text "0203 · 3.36 bits"
 */
export function withAdvice(fragment: string, text: string) {
  const payload = fragment.split("/")[3];
  if (!payload || !fits(text)) return fragment;
  const bytes = new TextEncoder().encode(text);
  const whole = new Uint8Array(4 + bytes.length);
  new DataView(whole.buffer).setUint32(0, checksum(payload, bytes));
  whole.set(bytes, 4);
  return `${fragment}/${toBase64Url(whole)}`;
}

/** The text of SAID; "" where it is empty, damaged, of another payload or not permitted. */
function adviceIn(payload: string, said: string) {
  const whole = fromBase64(said);
  if (!whole || whole.length < 5) return "";
  const bytes = whole.subarray(4);
  if (new DataView(whole.buffer).getUint32(0) !== checksum(payload, bytes)) return "";
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return fits(text) ? text : "";
  } catch {
    return "";
  }
}

/** CRC-32 of ISO 3309, reflected polynomial 0xEDB88320. */
function checksum(payload: string, bytes: Uint8Array) {
  let crc = 0xffffffff;
  for (const byte of [...new TextEncoder().encode(payload), ...bytes]) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

/*
 * The browser's Back closes the open dialog: each open dialog has an entry in the browser's history.
 */
let open = false;
let leaving = false; // true while this module calls history.back()

/** Whether the current history entry belongs to a dialog. */
const onTop = () => history.state?.dialog === true;

/** Adds the entry of a dialog that opened. */
export function dialogOpened() {
  if (open) return;
  open = true;
  if (!onTop()) history.pushState({ dialog: true }, "");
}

/** Removes the entry of a dialog that closed, unless closing it led to another address. */
export function dialogClosed() {
  if (!open) return;
  open = false;
  setTimeout(() => {
    if (open || !onTop()) return;
    leaving = true;
    history.back();
  });
}

/** @param close closes the dialog */
export function followBack(close: () => void) {
  addEventListener("popstate", () => {
    if (leaving || open) writeAgain(); // the position may have changed under the dialog
    if (open && !leaving) {
      open = false;
      close();
    }
    leaving = false;
  });
}

/** Freezes a position, so that a desk that changes one gets an error. */
export function freeze<T>(value: T): T {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}

/** Whether two positions have the same link. */
export function samePosition(desk: string, a: unknown, b: unknown) {
  return canonical(desk, a) === canonical(desk, b);
}

const TO_DESK = /#\/([a-z]+)\/[\w/-]+$/;

/** A link's position as Python source, for a notebook, a script or the console; "" if it is not a link to a desk. */
export function pythonOf(address: string) {
  const [fragment, name] = TO_DESK.exec(address) ?? [];
  const desk = DESKS.find((one) => one.name === name);
  if (!desk) return "";
  return `import cluewise
from cluewise import ${desk.name}

position = cluewise.unlink("${fragment}")
${desk.name}.${desk.verb}(position)
`;
}
