/** Fake workers, and archives as zip programs write them. */
import { deflateRawSync } from "node:zlib";

/** The fake workers, the newest last. */
export const workers = [];

export class FakeWorker {
  /** the constructor throws */
  static refused = false;
  posted = [];

  constructor(_address, { name } = {}) {
    this.name = name;
    if (FakeWorker.refused) throw new Error("refused");
    workers.push(this);
  }

  postMessage(message) {
    // A compiled module cannot be cloned in Node.
    this.posted.push(message.module ? message : structuredClone(message));
  }

  /** Posts a message to the page. */
  emit(data) {
    this.onmessage({ data });
  }

  terminate() {
    this.terminated = true;
  }

  get asks() {
    return this.posted.filter(({ type }) => type === "ask");
  }
}

/** A zip of [name, text, packed] as zip programs write it. */
export function zip(entries) {
  const [bodies, index] = [[], []];
  let at = 0;
  for (const [name, text, packed] of entries) {
    const [bytes, label] = [Buffer.from(text), Buffer.from(name)];
    const data = packed ? deflateRawSync(bytes) : bytes;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(label.length, 26);
    local.writeUInt16LE(3, 28); // an extra field, shorter here than in the index
    bodies.push(local, label, Buffer.from("abc"), data);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(packed ? 8 : 0, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(bytes.length, 24);
    central.writeUInt16LE(label.length, 28);
    central.writeUInt16LE(5, 30);
    central.writeUInt16LE(4, 32);
    central.writeUInt32LE(at, 42);
    index.push(central, label, Buffer.from("extra"), Buffer.from("note"));
    at += 33 + label.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  const note = Buffer.from("a note at the end");
  end.writeUInt16LE(note.length, 20);
  return new Uint8Array(Buffer.concat([...bodies, ...index, end, note]));
}
