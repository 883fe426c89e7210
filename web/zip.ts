/**
 * Reads zip archives (PKWARE's APPNOTE, without ZIP64): members from the central directory, each inflated
 * on request. Used for the site's archives and for files of users, which may be truncated or zip bombs:
 * each member is inflated up to the size that the directory states.
 */

export type Bytes = Uint8Array<ArrayBuffer>;
/** `size` as in the directory */
export type Member = { name: string; size: number; locked: boolean; bytes: () => Promise<Bytes> };

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END = 0x06054b50;
const MAX_COMMENT = 0xffff; // bytes after the end record

/** The archive is truncated or malformed. */
class Damaged extends Error {}

/** Whether it begins like a zip: with a file header or, if empty, the end record. */
const isZip = (head: DataView) =>
  head.byteLength === 4 && [LOCAL_HEADER, DIRECTORY_END].includes(head.getUint32(0, true));

/** The members in the directory's order, including folders. @returns Throws Damaged, as `bytes` does. */
export function members(zip: Bytes): Member[] {
  try {
    return listed(zip, new DataView(zip.buffer, zip.byteOffset, zip.byteLength));
  } catch (problem) {
    throw problem instanceof RangeError ? new Damaged() : problem; // truncated
  }
}

function listed(zip: Bytes, view: DataView) {
  let end = zip.length - 22;
  while (view.getUint32(end, true) !== DIRECTORY_END) {
    if (--end < zip.length - 22 - MAX_COMMENT) throw new Damaged();
  }
  const found: Member[] = [];
  let at = view.getUint32(end + 16, true);
  for (let remaining = view.getUint16(end + 10, true); remaining > 0; remaining--) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw new Damaged();
    const [flags, method, name, extra, comment] = [8, 10, 28, 30, 32].map((field) =>
      view.getUint16(at + field, true),
    );
    const [packed, size, local] = [20, 24, 42].map((field) => view.getUint32(at + field, true));
    found.push({
      name: new TextDecoder().decode(zip.subarray(at + 46, at + 46 + name)),
      size,
      locked: Boolean(flags & 1),
      bytes: async () => {
        if (local + 30 > zip.length) throw new Damaged();
        const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
        return unpacked(zip.subarray(from, from + packed), method, size);
      },
    });
    at += 46 + name + extra + comment;
  }
  return found;
}

/** @param method of compression: 0 stored, 8 deflate */
async function unpacked(bytes: Bytes, method: number, size: number) {
  const whole = method === 8 ? await inflated(bytes, size) : bytes;
  if (whole.length !== size || ![0, 8].includes(method)) throw new Damaged();
  return whole;
}

/** Reads a stream, at most `size` bytes. */
async function inflated(bytes: Bytes, size: number) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const whole = new Uint8Array(size);
  let received = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return whole.subarray(0, received);
      whole.set(value, received); // RangeError if longer than stated
      received += value.length;
    }
  } catch {
    reader.cancel().catch(() => {}); // may have failed already
    throw new Damaged();
  }
}

/* The files in a .zip archive that a user chose, unpacked when read. */

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
