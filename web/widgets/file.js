/** Files to carry away: `download("name.json", blob)`. */

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the blob after the click; half a minute is plenty.
  setTimeout(() => URL.revokeObjectURL(link.href), 30_000);
}
