/**
 * Encodes a position as the fragment of the address, and decodes it; the only module that uses
 * `location`. The same codec as cluewise/links.py, tested with the same vectors.
 */
import { lean } from "../validate.js";
import { joined } from "../widgets/bytes.js";
import { fromBase64, toBase64 } from "./base64.js";
import { adviceIn } from "./sender-advice.js";

export const VERSION = 1;
const DECODED_LIMIT = 256 * 1024; // bytes of JSON
const FORM =
  /^(?:[^#]*#)?\/?([a-z]+)(?:\/(\d{1,4})\/([^/?#\s]*)(?:\/([^/?#\s]+))?|\/([a-z]+(?:-[a-z]+)*))?\/?$/;

/** Punctuation after a link in a sentence, also percent-encoded. No link ends in such a character. */
const AFTER = /(?:[^\w/#-]|%[0-9a-f]{2})+$/i;

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
  return `#/${desk}/${VERSION}/${toBase64(packed)}`;
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

/** The desk that a fragment names, or "" if none. */
export function deskOf(text: string) {
  return matched(text)?.[1] ?? "";
}

/** The fragment of a position that has a name, `#/sudoku/rspzfgc`. */
export const named = (desk: string, name: string) => `#/${desk}/${name}`;

/** Why a fragment opens no desk, as a sentence. */
export function whyUnknown(text: string) {
  const desk = deskOf(text);
  return desk ? `There is no desk “${desk}”.` : "This is not a Cluewise link. Links look like #/code/1/…";
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
export function writeAgain() {
  if (location.hash !== known) history.replaceState(null, "", known || location.pathname + location.search);
}

/** The text shared by another app, removed from the address; "" if none. */
export function takeShared() {
  const asked = new URLSearchParams(location.search);
  const text = ["title", "text", "url"]
    .map((name) => asked.get(name)?.trim())
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

/** Query words such as `?embed=1`. */
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
    throw new BadLink("The link is damaged: it does not hold a position.");
  }
}

async function inflate(payload: string) {
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
