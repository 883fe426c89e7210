/** Files that the page saves, as a test reads them: import it after template.mjs. */
import { resolveObjectURL } from "node:buffer";
import "./template.mjs";

/** What has been saved, the newest last. @type {{name: string, text: () => Promise<string>}[]} */
export const downloads = [];

Object.assign(document.body, { append() {} });
/** A link, which saves a file when it is clicked. */
document.createElement = /** @type {any} any: what a download uses of an element */ (
  () => ({
    remove() {},
    click() {
      const blob = resolveObjectURL(this.href);
      downloads.push({ name: this.download, text: () => /** @type {Blob} */ (blob).text() });
    },
  })
);
