/**
 * What is in an archive (.zip) that somebody chose: the files by name, each unpacked when it is read.
 * It may be cut, locked or made to burst; then it is refused by a word, an `Unreadable`.
 */

/** @typedef {{name: string, text: () => Promise<string>}} Source a file, or one in an archive */
/** @typedef {"damaged" | "locked" | "large"} Why */

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const FILE = 0x04034b50;
const NOTE = 0xffff; // the longest note at the end
/** Bytes that an archive may have, and a file in it. */
export const MOST = { archive: 64 << 20, file: 8 << 20 };

export class Unreadable extends Error {
  /** @param {Why} why */
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/** Whether a file is an archive, by how it begins. @param {Blob} file */
export async function isArchive(file) {
  const head = new DataView(await file.slice(0, 4).arrayBuffer());
  return head.byteLength === 4 && [FILE, END].includes(head.getUint32(0, true));
}

/**
 * The files in an archive in the order of its index, without folders.
 * @param {Blob} archive @returns {Promise<Source[]>} Raises Unreadable.
 */
export async function filesIn(archive) {
  if (archive.size > MOST.archive) throw new Unreadable("large");
  const view = new DataView(await archive.arrayBuffer());
  try {
    return entries(view).filter(({ name }) => !name.endsWith("/"));
  } catch (problem) {
    throw problem instanceof RangeError ? new Unreadable("damaged") : problem; // cut: beyond its end
  }
}

/** @param {DataView<ArrayBuffer>} view */
function entries(view) {
  let end = view.byteLength - 22;
  while (view.getUint32(end, true) !== END) {
    if (--end < view.byteLength - 22 - NOTE) throw new Unreadable("damaged");
  }
  /** @type {Source[]} */
  const found = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== ENTRY) throw new Unreadable("damaged");
    const [name, extra, note] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const label = new Uint8Array(view.buffer, at + 46, name);
    const entry = at;
    found.push({ name: new TextDecoder().decode(label), text: () => textOf(view, entry) });
    at += 46 + name + extra + note;
  }
  return found;
}

/** @param {DataView<ArrayBuffer>} view @param {number} entry where the index has it */
async function textOf(view, entry) {
  const [flags, packing] = [8, 10].map((field) => view.getUint16(entry + field, true));
  const [packed, whole, local] = [20, 24, 42].map((field) => view.getUint32(entry + field, true));
  if (flags & 1) throw new Unreadable("locked");
  if (whole > MOST.file) throw new Unreadable("large");
  try {
    const heads = view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const bytes = new Blob([new Uint8Array(view.buffer, local + 30 + heads, packed)]);
    const text = packing ? await inflated(bytes, whole) : bytes;
    if (text.size !== whole || ![0, 8].includes(packing)) throw new Unreadable("damaged");
    return await text.text();
  } catch (problem) {
    throw problem instanceof Unreadable ? problem : new Unreadable("damaged");
  }
}

/** Unpacked, as far as it has no more bytes than it should. @param {Blob} bytes @param {number} whole */
async function inflated(bytes, whole) {
  const reader = bytes.stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > whole) {
      await reader.cancel();
      throw new Unreadable("damaged");
    }
    parts.push(value);
  }
}
