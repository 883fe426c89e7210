/** Downloads, `download("name.json", blob)`, and file inputs. */
import { html } from "../vendor.js";

const NAMES = /\.(avif|gif|hei[cf]|jpe?g|png|webp)$/i; // for files without a MIME type

/** A drawing in text (SVG) is none. @param {File} file */
export const isPicture = ({ type, name }) =>
  type ? type.startsWith("image/") && type !== "image/svg+xml" : NAMES.test(name);

/** A button that opens files of any kind. @param {string} label @param {(files: File[]) => void} onFiles */
export const fileButton = (label, onFiles) =>
  html`<label class="soft file">${label}<input class="unseen" type="file" multiple @change=${taking(onFiles)}></label>`;

/** Passes the chosen files on. @param {(files: File[]) => void} onFiles */
const taking = (onFiles) => (/** @type {import("./on.js").OnInput} */ event) => {
  const files = [...(event.target.files ?? [])];
  event.target.value = ""; // allows choosing the same file again
  onFiles(files);
};

/**
 * A button that opens pictures, and on devices with a camera a second one that takes one.
 * @param {{label: string, camera: string, onPictures: (files: File[]) => void}} parts
 */
export function pictureButtons({ label, camera, onPictures }) {
  const take = taking(onPictures);
  return html`<label class="soft file">${label}<input class="unseen" type="file" accept="image/*" multiple @change=${take}></label>
    <label class="soft file camera">${camera}<input class="unseen" type="file" accept="image/*" capture="environment" @change=${take}></label>`;
}

/** @param {string} name @param {Blob} blob */
export function download(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 30_000);
}
