/** The board as files to carry away. */
import { html, render } from "../vendor.js";
import { download } from "../widgets/file.js";

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
    canvas.toBlob((blob) => blob && download(`${file}.png`, blob));
    return true;
  }
  const box = document.createElement("div");
  box.className = "unseen";
  place.append(box);
  try {
    render(html`${drawn}`, box);
    const svg = box.querySelector("svg");
    if (!svg) return false;
    const text = inlined(svg);
    download(`${file}.svg`, new Blob([text], { type: "image/svg+xml" }));
    download(`${file}.png`, await painted(text, svg));
    return true;
  } finally {
    box.remove();
  }
}

const KEPT = [
  "fill",
  "stroke",
  "stroke-width",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
  "text-anchor",
  "dominant-baseline",
];

/** The svg's text with the page's computed colours and type written into it. @param {SVGSVGElement} svg */
function inlined(svg) {
  const copy = /** @type {SVGSVGElement} */ (svg.cloneNode(true));
  const from = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, i) => {
    const style = getComputedStyle(from[i]);
    for (const name of KEPT) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return new XMLSerializer().serializeToString(copy);
}

/** @param {string} text @param {SVGSVGElement} svg @returns {Promise<Blob>} a PNG at twice the size */
async function painted(text, svg) {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The picture could not be painted.")))),
  );
}
