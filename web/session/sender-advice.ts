/**
 * The sender's advice in a link: `#/DESK/1/PAYLOAD/SAID`.
 *
 * SAID is base64url of a CRC-32 (4 bytes, big-endian) and a text in UTF-8. The checksum is that of
 * the payload's characters followed by the text's bytes: it detects damage and a text that belongs
 * to another position. It does not detect a forged text, so the page never presents the text as its
 * own advice.
 */
import { fromBase64, toBase64 } from "./base64.js";

const LONGEST = 60; // code points
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u; // no control, format or line separator characters

/** Whether a text may stand in a link. */
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
  return `${fragment}/${toBase64(whole)}`;
}

/** The text of SAID; "" where it is empty, damaged, of another payload or not permitted. */
export function adviceIn(payload: string, said: string) {
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
