/** Texts as one archive (.zip), stored as they are: the same texts give the same bytes. */

const DATE = ((2018 - 1980) << 9) | (1 << 5) | 1; // the first day of 2018, for all
const UTF8 = 1 << 11; // names are in UTF-8

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let sum = n;
  for (let k = 0; k < 8; k++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

/** The checksum that the format wants. @param {Uint8Array} bytes */
function crc32(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ TABLE[(sum ^ byte) & 255];
  return ~sum >>> 0;
}

/** Numbers of two bytes and of four, the lowest byte first. @param {number[]} list */
const short = (...list) => list.flatMap((n) => [n & 255, (n >>> 8) & 255]);
const long = (/** @type {number[]} */ ...list) => list.flatMap((n) => short(n, n >>> 16));

/** @param {readonly {name: string, text: string}[]} files @returns {Blob} */
export function zipOf(files) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const index = [];
  let at = 0;
  for (const { name, text } of files) {
    const [called, bytes] = [name, text].map((one) => new TextEncoder().encode(one));
    // The version that unpacks it, flags, how it is packed (not at all), time, date.
    const told = [...short(20, UTF8, 0, 0, DATE), ...long(crc32(bytes), bytes.length, bytes.length)];
    const head = Uint8Array.from([...long(0x04034b50), ...told, ...short(called.length, 0)]);
    const entry = [
      ...long(0x02014b50),
      ...short(20),
      ...told,
      ...short(called.length, 0, 0, 0, 0),
      ...long(0, at),
    ];
    parts.push(head, called, bytes);
    index.push(Uint8Array.from(entry), called);
    at += head.length + called.length + bytes.length;
  }
  const listed = index.reduce((sum, part) => sum + part.length, 0);
  const end = [
    ...long(0x06054b50),
    ...short(0, 0, files.length, files.length),
    ...long(listed, at),
    ...short(0),
  ];
  return new Blob([...parts, ...index, Uint8Array.from(end)], { type: "application/zip" });
}
