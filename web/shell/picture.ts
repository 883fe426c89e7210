/** The board as picture files. */
import { html, render } from "../vendor.js";
import { painted, pngOf, svgText } from "../widgets/picture.js";

/**
 * The board as files, the PNG last; empty if the desk has no picture.
 * @param name of the files, without ending
 * @param drawn the desk's svg template, or null for the element marked `data-picture`
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
