/**
 * The files in a chosen .zip archive, unpacked when read. A damaged, encrypted or too large archive
 * throws an `Unreadable`.
 */
import { Damaged, isZip, members } from "../zip.js";

/** @typedef {{name: string, text: () => Promise<string>}} Source a file, or one in an archive */
/** @typedef {"damaged" | "locked" | "large"} Why */

/** Largest sizes of an archive and of a file in it, in bytes. */
export const MOST = { archive: 64 << 20, file: 8 << 20 };

export class Unreadable extends Error {
  /** @param {Why} why */
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/** Whether a file is an archive, by how it begins. @param {Blob} file */
export const isArchive = async (file) => isZip(new DataView(await file.slice(0, 4).arrayBuffer()));

/**
 * The files of an archive in the order of its directory, without folders.
 * @param {Blob} archive @returns {Promise<Source[]>} Raises Unreadable.
 */
export async function filesIn(archive) {
  if (archive.size > MOST.archive) throw new Unreadable("large");
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const found = await orDamaged(() => members(bytes));
  return found
    .filter(({ name }) => !name.endsWith("/"))
    .map((member) => ({ name: member.name, text: () => textOf(member) }));
}

/** @param {import("../zip.js").Member} member */
async function textOf({ size, locked, bytes }) {
  if (locked) throw new Unreadable("locked");
  if (size > MOST.file) throw new Unreadable("large");
  return new TextDecoder().decode(await orDamaged(bytes));
}

/** @template T @param {() => T | Promise<T>} read @returns {Promise<T>} */
async function orDamaged(read) {
  try {
    return await read();
  } catch (problem) {
    throw problem instanceof Damaged ? new Unreadable("damaged") : problem;
  }
}
