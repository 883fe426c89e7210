/** Files, clipboard and pasted text: file inputs, downloads, `download("name.json", blob)`, copying, lines of a text. */
import { html, nothing } from "../vendor.js";
import type { OnInput } from "./on.js";

const LONGEST = 2000; // characters; longer than the lines of any game's notation
const NAMES = /\.(avif|gif|hei[cf]|jpe?g|png|webp)$/i; // for files without a MIME type

/** Whether a file is a bitmap; SVG is not. */
export const isPicture = ({ type, name }: File) =>
  type ? type.startsWith("image/") && type !== "image/svg+xml" : NAMES.test(name);

/**
 * A button that opens files.
 * @param more `accept`: the file types, default any; `camera`: a picture is taken with the camera
 */
export function fileButton(
  label: string,
  onFiles: (files: File[]) => void,
  {
    accept,
    multiple = false,
    camera = false,
  }: { accept?: string; multiple?: boolean; camera?: boolean } = {},
) {
  const take = (event: OnInput) => {
    const files = [...(event.target.files ?? [])];
    event.target.value = ""; // allows choosing the same file again
    onFiles(files);
  };
  return html`<label class=${camera ? "soft file camera" : "soft file"}>${label}<input class="unseen" type="file"
    accept=${accept ?? nothing} capture=${camera ? "environment" : nothing} ?multiple=${multiple} @change=${take}></label>`;
}

/** A button that opens pictures, and a second one that uses the camera (hidden by CSS without one). */
export function pictureButtons({
  label,
  camera,
  onPictures,
}: {
  label: string;
  camera: string;
  onPictures: (files: File[]) => void;
}) {
  const accept = "image/*";
  return html`${fileButton(label, onPictures, { accept, multiple: true })}
    ${fileButton(camera, onPictures, { accept, camera: true })}`;
}

/** Copies a text to the clipboard; returns whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function download(name: string, blob: Blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 30_000);
}

/**
 * The non-empty lines of a pasted text, with one blank between words: safe for regular expressions.
 *
 * A pattern with two adjacent repetitions of blanks backtracks over all ways to divide them: seconds for
 * 40 000 empty lines. Here runs of blanks become one blank.
 */
export function plainLines(text: string): string[] {
  const lines = [];
  for (const line of text.split(/[\n\r\u2028\u2029]/)) {
    if (line.length > LONGEST) continue;
    const plain = line.trim().replace(/\s+/g, " ");
    if (plain) lines.push(plain);
  }
  return lines;
}
