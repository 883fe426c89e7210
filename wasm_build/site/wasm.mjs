// The parts of a WebAssembly module that thinning reads and writes: sections, function bodies, data
// segments, exports. Positions are byte offsets into the module; numbers are LEB128.

const SECTION = { imports: 2, globals: 6, exports: 7, code: 10, data: 11 };
export const KIND = { function: 0, global: 3 };

/** An unsigned number and the offset after it. @param {Uint8Array} bytes @param {number} at @returns {[number, number]} */
export function readUnsigned(bytes, at) {
  let [value, scale] = [0, 1];
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    scale *= 128;
    if (byte < 128) return [value, at];
  }
}

/** A signed 32-bit number and the offset after it. @param {Uint8Array} bytes @param {number} at @returns {[number, number]} */
export function readSigned(bytes, at) {
  let [value, shift] = [0, 0];
  for (;;) {
    const byte = bytes[at++];
    value |= (byte & 127) << shift;
    shift += 7;
    if (byte < 128) return [shift < 32 && byte & 64 ? value | (-1 << shift) : value, at];
  }
}

/** @param {number} value @returns {number[]} */
export function unsigned(value) {
  const out = [];
  do {
    const byte = value % 128;
    value = Math.floor(value / 128);
    out.push(value ? byte | 128 : byte);
  } while (value);
  return out;
}

/** @param {number} value a signed 32-bit number @returns {number[]} */
export function signed(value) {
  const out = [];
  for (;;) {
    const byte = value & 127;
    value >>= 7;
    if (value === (byte & 64 ? -1 : 0)) return [...out, byte];
    out.push(byte | 128);
  }
}

/** @param {string} text */
export const nameOf = (text) => [...unsigned(text.length), ...Buffer.from(text)];

/** @param {Uint8Array} bytes @returns {{id: number, at: number, end: number}[]} `at` to `end` is a section's content */
function sections(bytes) {
  const found = [];
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at];
    const [size, from] = readUnsigned(bytes, at + 1);
    found.push({ id, at: from, end: from + size });
    at = from + size;
  }
  return found;
}

/** @param {Uint8Array} bytes @param {number} id */
function section(bytes, id) {
  const found = sections(bytes).find((one) => one.id === id);
  if (!found) throw new Error(`The module has no section ${id}.`);
  return found;
}

/** How many functions and globals are imported: they are numbered before those of the module. @param {Uint8Array} bytes */
export function imported(bytes) {
  let [count, at] = readUnsigned(bytes, section(bytes, SECTION.imports).at);
  const found = { functions: 0, globals: 0 };
  const skipNumber = () => {
    [, at] = readUnsigned(bytes, at);
  };
  for (; count; count--) {
    for (let part = 0; part < 2; part++) {
      const [length, from] = readUnsigned(bytes, at);
      at = from + length;
    }
    const kind = bytes[at++];
    if (kind === KIND.function) {
      found.functions++;
      skipNumber();
    } else if (kind === KIND.global) {
      found.globals++;
      at += 2;
    } else if (kind === 4) {
      at++;
      skipNumber();
    } else {
      if (kind === 1) at++;
      const limits = bytes[at++];
      skipNumber();
      if (limits & 1) skipNumber();
    }
  }
  return found;
}

/** How many globals the module defines. @param {Uint8Array} bytes */
export const globals = (bytes) => readUnsigned(bytes, section(bytes, SECTION.globals).at)[0];

/** The bodies of the module's functions, with their local variables. @param {Uint8Array} bytes @returns {{at: number, end: number}[]} */
export function bodies(bytes) {
  let [count, at] = readUnsigned(bytes, section(bytes, SECTION.code).at);
  const found = [];
  for (; count; count--) {
    const [size, from] = readUnsigned(bytes, at);
    found.push({ at: from, end: from + size });
    at = from + size;
  }
  return found;
}

/** The data segments: bytes `at` to `end`, and their address in memory. @param {Uint8Array} bytes @returns {{at: number, end: number, address: number}[]} */
export function segments(bytes) {
  let [count, at] = readUnsigned(bytes, section(bytes, SECTION.data).at);
  const found = [];
  for (; count; count--) {
    if (bytes[at] !== 0 || bytes[at + 1] !== 0x41) throw new Error("A segment's address is no constant.");
    const [address, end] = readSigned(bytes, at + 2);
    if (bytes[end] !== 0x0b) throw new Error("A segment's address is no constant.");
    const [size, from] = readUnsigned(bytes, end + 1);
    found.push({ at: from, end: from + size, address });
    at = from + size;
  }
  return found;
}

/** @param {Uint8Array} bytes @returns {{name: string, kind: number, index: number}[]} */
export function exports(bytes) {
  let [count, at] = readUnsigned(bytes, section(bytes, SECTION.exports).at);
  const found = [];
  for (; count; count--) {
    const [length, from] = readUnsigned(bytes, at);
    const name = Buffer.from(bytes.subarray(from, from + length)).toString();
    const kind = bytes[from + length];
    const [index, next] = readUnsigned(bytes, from + length + 1);
    found.push({ name, kind, index });
    at = next;
  }
  return found;
}

/** The offset of a body's first instruction. @param {Uint8Array} bytes @param {number} at */
export function instructions(bytes, at) {
  let [groups, next] = readUnsigned(bytes, at);
  for (; groups; groups--) next = readUnsigned(bytes, next)[1] + 1;
  return next;
}

/** The module with other bodies, and mutable 32-bit globals added under these names. @param {Uint8Array} bytes @param {Uint8Array[]} code @param {string[]} names */
export function withCode(bytes, code, names) {
  const first = imported(bytes).globals + globals(bytes);
  const zero = [0x7f, 1, 0x41, 0, 0x0b]; // i32, mutable, 0 at first
  const changed = {
    [SECTION.globals]: appended(bytes, SECTION.globals, names.map(() => zero)), // biome-ignore format: one each
    [SECTION.exports]: appended(bytes, SECTION.exports, names.map((name, i) => [...nameOf(name), KIND.global, ...unsigned(first + i)])), // biome-ignore format: one each
    [SECTION.code]: Buffer.concat([
      Uint8Array.from(unsigned(code.length)),
      ...code.flatMap((body) => [Uint8Array.from(unsigned(body.length)), body]),
    ]),
  };
  const parts = [bytes.subarray(0, 8)];
  for (const { id, at, end } of sections(bytes)) {
    const content = changed[id] ?? bytes.subarray(at, end);
    parts.push(Uint8Array.from([id, ...unsigned(content.length)]), content);
  }
  return Buffer.concat(parts);
}

/** A vector's content with items added. @param {Uint8Array} bytes @param {number} id @param {number[][]} items */
function appended(bytes, id, items) {
  const { at, end } = section(bytes, id);
  const [count, from] = readUnsigned(bytes, at);
  const head = Uint8Array.from(unsigned(count + items.length));
  return Buffer.concat([head, bytes.subarray(from, end), ...items.map((item) => Uint8Array.from(item))]);
}
