/** The board as files to carry away. */
import { html, render } from "../vendor.js";
import { download } from "../widgets/file.js";
import { painted, pngOf, svgText } from "../widgets/picture.js";

/**
 * @param {string} name of the files, without ending
 * @param {unknown} drawn the desk's svg template, or null to take what is marked `data-picture`
 * @param {HTMLElement} place where the desk is drawn; the picture is drawn there unseen, so that
 *   it has the page's own colours
 * @returns {Promise<boolean>} whether there was anything to save
 */
export async function savePictures(name, drawn, place) {
  const file =
    name
      .replace(/[^\w-]+/g, "-")
      .replace(/^-|-$/g, "")
      .toLowerCase() || "cluewise";
  if (!drawn) {
    const canvas = place.querySelector("canvas[data-picture]");
    if (!(canvas instanceof HTMLCanvasElement)) return false;
    download(`${file}.png`, await pngOf(canvas));
    return true;
  }
  const box = document.createElement("div");
  box.className = "unseen";
  place.append(box);
  try {
    render(html`${drawn}`, box);
    const svg = box.querySelector("svg");
    if (!svg) return false;
    const text = svgText(svg, { ground: getComputedStyle(document.body).backgroundColor });
    download(`${file}.svg`, new Blob([text], { type: "image/svg+xml" }));
    download(`${file}.png`, await painted(text));
    return true;
  } finally {
    box.remove();
  }
}
