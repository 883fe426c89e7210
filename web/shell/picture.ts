/** The board as picture files. */

import { html, render } from "../vendor.js";

/**
 * The board as files, the PNG last; empty if the desk has no picture.
 * @param name of the files, without ending
 * @param drawn the desk's svg template, or nothing for the element marked `data-picture`
 * @param place the desk's element; the picture is drawn there invisibly, so that it has the page's colours
 */
export async function picturesOf(name: string, drawn: unknown, place: HTMLElement): Promise<File[]> {
  const file =
    name
      .replace(/[^\w-]+/g, "-")
      .replace(/^-|-$/g, "")
      .toLowerCase() || "cluewise";
  const png = (blob: Blob) => new File([blob], `${file}.png`, { type: "image/png" });
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

/*
 * A drawing as a self-contained file. Styles become presentation attributes, because a page with a content
 * security policy like this one ignores style attributes and elements.
 */

/** The exported CSS properties and their initial values. */
const KEPT = {
  fill: "rgb(0, 0, 0)",
  "fill-opacity": "1",
  "fill-rule": "nonzero",
  stroke: "none",
  "stroke-width": "1px",
  "stroke-opacity": "1",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  opacity: "1",
  display: "inline",
  visibility: "visible",
  "font-family": "",
  "font-size": "",
  "font-weight": "400",
  "font-style": "normal",
  "font-variant-numeric": "normal",
  "letter-spacing": "normal",
  "text-anchor": "start",
  "text-decoration": "none",
  "dominant-baseline": "auto",
  "paint-order": "normal",
  "vector-effect": "none",
  "stop-color": "rgb(0, 0, 0)",
} as Record<string, string>;
const COLOURS = new Set(["fill", "stroke", "stop-color"]);
const INHERITED = /^(fill|stroke|font|text-anchor|letter-spacing|visibility|paint-order|dominant)/;

/**
 * The drawing as the text of an .svg file. It must be in the document, because its computed styles are
 * read there.
 * @param svg with a viewBox; one unit becomes one pixel
 * @param options background colour, for drawings on dark ground
 */
function svgText(svg: SVGSVGElement, { ground }: { ground?: string } = {}) {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const plain = colourReader();
  const from = [svg, ...svg.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    writeStyles(element, to[i], plain);
  });
  const { x, y, width, height } = svg.viewBox.baseVal;
  if (ground) copy.prepend(rectangle({ x, y, width, height, fill: plain(ground) }));
  for (const element of to) for (const name of ["class", "style", "tabindex"]) element.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  return withoutComments(copy);
}

/** @param text of an .svg file with width and height @param scale pixels a unit */
async function painted(text: string, scale: number = 2): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(scale * image.naturalWidth);
  canvas.height = Math.round(scale * image.naturalHeight);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return pngOf(canvas);
}

/** A canvas as a PNG. */
function pngOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("The picture could not be drawn.")))),
  );
}

function writeStyles(element: Element, copy: Element, plain: (colour: string) => string) {
  const style = getComputedStyle(element);
  const above = element.parentElement?.closest("svg") ? getComputedStyle(element.parentElement) : null;
  for (const [name, usual] of Object.entries(KEPT)) {
    const value = style.getPropertyValue(name);
    const given = above && INHERITED.test(name) ? above.getPropertyValue(name) : usual;
    if (value && value !== given) copy.setAttribute(name, COLOURS.has(name) ? plain(value) : value);
    else copy.removeAttribute(name);
  }
}

/**
 * Converts `oklab(…)` and `color(srgb …)`, the computed values of mixed colours, to sRGB that every
 * viewer supports, by reading a pixel.
 */
function colourReader() {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const known: Map<string, string> = new Map();
  return (colour: string) => {
    if (!pen || !/^(ok|color|la[bc]|lch)/.test(colour)) return colour;
    let plain = known.get(colour);
    if (!plain) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
      plain =
        alpha === 255
          ? `rgb(${red}, ${green}, ${blue})`
          : `rgba(${red}, ${green}, ${blue}, ${(alpha / 255).toFixed(3)})`;
      known.set(colour, plain);
    }
    return plain;
  };
}

function rectangle(attributes: Record<string, string | number>) {
  const found = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, String(value));
  return found;
}

/** lit leaves markers behind. */
function withoutComments(element: Element) {
  return new XMLSerializer().serializeToString(element).replace(/<!--.*?-->/gs, "");
}
