/** Draws the parts of a path that are not walked, such as a leap, with a word, and named places. */
import { toScreen } from "./geometry.js";
import { along, namesOf, TAG } from "./labels.js";

const FONT = "system-ui, sans-serif";

/** A part that is not walked: dashed, with its word in the middle, or the first letter if it is short. @param {CanvasRenderingContext2D} g @param {import("./model.js").MapModel["hops"][number]} hop @param {import("./geometry.js").Camera} camera @param {import("./geometry.js").Size} size @param {import("./palette.js").Palette} palette */
export function paintHop(g, { from, to, name }, camera, size, palette) {
  const [ax, ay] = toScreen(camera, size, from[0] + 0.5, from[1] + 0.5);
  const [bx, by] = toScreen(camera, size, to[0] + 0.5, to[1] + 0.5);
  g.beginPath();
  g.moveTo(ax, ay);
  g.lineTo(bx, by);
  g.setLineDash([3, 5]);
  g.strokeStyle = palette.surface;
  g.lineWidth = 3;
  g.stroke();
  g.setLineDash([]);
  const { text, at } = wordOf(g, name, [ax, ay], [bx, by]);
  paintTag(g, text, at, palette);
}

/** Text and place of a hop's label. @param {CanvasRenderingContext2D} g @param {string} name @param {[number, number]} from on the screen @param {[number, number]} to @returns {{text: string, at: [number, number]}} */
function wordOf(g, name, [ax, ay], [bx, by]) {
  const text = Math.hypot(bx - ax, by - ay) > 2 * wideOf(g, name) ? name : name.charAt(0);
  return { text, at: [(ax + bx) / 2, (ay + by) / 2] };
}

/** Width of a word's frame. @param {CanvasRenderingContext2D} g @param {string} text */
function wideOf(g, text) {
  g.font = `650 11px ${FONT}`;
  return Math.max(16, g.measureText(text).width + 10);
}

/** Positions of place names, and the points that numbers must not cover: places, names, words of hops. @param {CanvasRenderingContext2D} g @param {import("./model.js").MapModel} model @param {import("./geometry.js").Camera} camera @param {import("./geometry.js").Size} size @param {[number, number][]} dots @returns {{names: [number, number][], kept: [number, number][]}} */
export function tagsOf(g, model, camera, size, dots) {
  const at = (/** @type {number} */ x, /** @type {number} */ y) => toScreen(camera, size, x + 0.5, y + 0.5);
  const points = model.places.map(({ x, y }) => at(x, y));
  const wides = model.places.map(({ name }) => wideOf(g, name));
  const names = namesOf(points, wides, dots);
  const leaps = model.hops.flatMap(({ from, to, name }) => {
    const word = wordOf(g, name, at(from[0], from[1]), at(to[0], to[1]));
    return along(word.at, wideOf(g, word.text));
  });
  return { names, kept: [...points, ...names.flatMap((name, i) => along(name, wides[i])), ...leaps] };
}

/** A place: a diamond and its name. @param {CanvasRenderingContext2D} g @param {import("./model.js").MapModel["places"][number]} place @param {[number, number]} named position of its name @param {import("./geometry.js").Camera} camera @param {import("./geometry.js").Size} size @param {import("./palette.js").Palette} palette */
export function paintPlace(g, { x, y, name }, named, camera, size, palette) {
  const [px, py] = toScreen(camera, size, x + 0.5, y + 0.5);
  g.beginPath();
  g.moveTo(px, py - 7);
  g.lineTo(px + 7, py);
  g.lineTo(px, py + 7);
  g.lineTo(px - 7, py);
  g.closePath();
  g.fillStyle = palette.accent;
  g.fill();
  g.strokeStyle = palette.surface;
  g.lineWidth = 2;
  g.stroke();
  paintTag(g, name, named, palette);
}

/** A framed word. @param {CanvasRenderingContext2D} g @param {string} text @param {[number, number]} at its middle @param {import("./palette.js").Palette} palette */
function paintTag(g, text, [x, y], palette) {
  const wide = wideOf(g, text);
  g.beginPath();
  g.roundRect(x - wide / 2, y - TAG / 2, wide, TAG, TAG / 2);
  g.fillStyle = palette.surface;
  g.fill();
  g.strokeStyle = palette.accent;
  g.lineWidth = 1.5;
  g.stroke();
  g.fillStyle = palette.ink;
  g.textAlign = "center";
  g.textBaseline = "middle";
  g.fillText(text, x, y + 0.5);
}
