/**
 * The files in a chosen .zip archive, unpacked when read. A damaged, encrypted or too large archive
 * throws an `Unreadable`.
 */

import type { Member } from "../zip.js";
import { Damaged, isZip, members } from "../zip.js";

/** a file, or one in an archive */
export type Source = { name: string; text: () => Promise<string> };
export type Why = "damaged" | "locked" | "large";

/** Largest sizes of an archive and of a file in it, in bytes. */
export const MOST = { archive: 64 << 20, file: 8 << 20 };

export class Unreadable extends Error {
  why;
  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

/** Whether a file is an archive, by how it begins. */
export const isArchive = async (file: Blob) => isZip(new DataView(await file.slice(0, 4).arrayBuffer()));

/** The files of an archive in the order of its directory, without folders. @returns Raises Unreadable. */
export async function filesIn(archive: Blob): Promise<Source[]> {
  if (archive.size > MOST.archive) throw new Unreadable("large");
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const found = await orDamaged(() => members(bytes));
  return found
    .filter(({ name }) => !name.endsWith("/"))
    .map((member) => ({ name: member.name, text: () => textOf(member) }));
}

async function textOf({ size, locked, bytes }: Member) {
  if (locked) throw new Unreadable("locked");
  if (size > MOST.file) throw new Unreadable("large");
  return new TextDecoder().decode(await orDamaged(bytes));
}

async function orDamaged<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (problem) {
    throw problem instanceof Damaged ? new Unreadable("damaged") : problem;
  }
}
