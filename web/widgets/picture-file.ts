/**
 * Reads a picture file as pixels: decoded by the browser, rotated by its EXIF orientation, made smaller on
 * a canvas.
 */

import { toBase64 } from "./bytes.js";

/** Error messages. */
const words = {
  animated: (name: string) => `${name} is animated. Save one frame and open that.`,
  unreadable: (name: string) => `${name} is damaged or not a picture that this browser can read.`,
  heic: (name: string) =>
    `${name} is in the HEIC format, which this browser cannot show. Save it as JPEG and open that.`,
  large: (name: string, n: number) =>
    `${name} has ${Math.round(n / 1e6)} million pixels, more than 40. Make it smaller first.`,
  small: (name: string, w: number, h: number) => `${name} is only ${w}×${h} pixels: too small for a board.`,
};
const MIN_SIDE = 40; // pixels
const MEGAPIXELS = 40;
const HEAD = 65_536; // bytes that contain the mark of an animation

export interface Shot {
  /** the picture, upright */
  canvas: HTMLCanvasElement;
  name: string;
  /** red, green and blue bytes in base64 */
  pixels: string;
}

/**
 * Throws an Error with a message for the user if the file cannot be read.
 * @param longer pixels of the longer side at most
 */
export async function shotOf(file: File, longer: number): Promise<Shot> {
  if (await isAnimated(file)) throw new Error(words.animated(file.name));
  const address = URL.createObjectURL(file);
  try {
    const image = new Image();
    image.src = address;
    await image.decode().catch(async () => {
      throw new Error(words[(await isHeic(file)) ? "heic" : "unreadable"](file.name));
    });
    return drawn(image, file.name, longer);
  } finally {
    URL.revokeObjectURL(address);
  }
}

function drawn(image: HTMLImageElement, name: string, longer: number): Shot {
  const { naturalWidth: w, naturalHeight: h } = image;
  if (w * h > MEGAPIXELS * 1e6) throw new Error(words.large(name, w * h));
  if (Math.min(w, h) < MIN_SIDE) throw new Error(words.small(name, w, h));
  const share = Math.min(1, longer / Math.max(w, h));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(MIN_SIDE, Math.round(w * share));
  canvas.height = Math.max(MIN_SIDE, Math.round(h * share));
  const pen = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D;
  pen.fillStyle = "#fff"; // behind transparent pixels
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
  return { canvas, name, pixels: toBase64(withoutAlpha(data)) };
}

function withoutAlpha(data: Uint8ClampedArray) {
  const out = new Uint8Array((data.length / 4) * 3);
  for (let i = 0, k = 0; i < data.length; i += 4) {
    out[k++] = data[i];
    out[k++] = data[i + 1];
    out[k++] = data[i + 2];
  }
  return out;
}

/** Whether the first bytes mark a GIF, PNG or WebP as animated. */
async function isAnimated(file: File) {
  const bytes = new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  const text = new TextDecoder("latin1").decode(bytes);
  if (text.startsWith("GIF8")) return text.includes("NETSCAPE2.0");
  if (text.startsWith("\x89PNG")) return text.slice(0, text.indexOf("IDAT")).includes("acTL");
  return text.startsWith("RIFF") && text.slice(8, 60).includes("ANIM");
}

/** Whether it is in HEIC, the format of many phones, which few browsers decode. */
async function isHeic(file: File) {
  const text = new TextDecoder("latin1").decode(await file.slice(4, 12).arrayBuffer());
  return /^ftyp(hei|hev|mif1|msf1)/.test(text);
}
