/** The board as files to carry away or to send along. */
import { html, render } from "../vendor.js";
import { painted, pngOf, svgText } from "../widgets/picture.js";

/**
 * The board as files, the PNG last; none where the desk has no picture.
 * @param {string} name of the files, without ending
 * @param {unknown} drawn the desk's svg template, or null to take what is marked `data-picture`
 * @param {HTMLElement} place where the desk is drawn; the picture is drawn there unseen, so that
 *   it has the page's own colours
 * @returns {Promise<File[]>}
 */
export async function picturesOf(name, drawn, place) {
  const file =
    name
      .replace(/[^\w-]+/g, "-")
      .replace(/^-|-$/g, "")
      .toLowerCase() || "cluewise";
  const png = (/** @type {Blob} */ blob) => new File([blob], `${file}.png`, { type: "image/png" });
  if (!drawn) {
    const canvas = place.querySelector("canvas[data-picture]");
    return canvas instanceof HTMLCanvasElement ? [png(await pngOf(canvas))] : [];
  }
  const box = document.createElement("div");
  box.className = "unseen";
  place.append(box);
  try {
    render(html`${drawn}`, box);
    const svg = box.querySelector("svg");
    if (!svg) return [];
    const text = svgText(svg, { ground: getComputedStyle(document.body).backgroundColor });
    return [new File([text], `${file}.svg`, { type: "image/svg+xml" }), png(await painted(text))];
  } finally {
    box.remove();
  }
}
