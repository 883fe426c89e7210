/** Joins chunks. A Blob would use another process of the browser: 4 ms at each change of a position. */
export function joined(chunks: Uint8Array[]) {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
