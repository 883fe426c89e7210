/** Parts of a path that are not walked, such as a leap: a word says how one gets across; and places with a name. */
import { toScreen } from "./geometry.js";

const FONT = "system-ui, sans-serif";

/** A part of the path that is not walked: broken, its word in the middle; where that is too short, the word's first letter. @param {CanvasRenderingContext2D} g @param {import("./model.js").MapModel["hops"][number]} hop @param {import("./geometry.js").Camera} camera @param {import("./geometry.js").Size} size @param {import("./palette.js").Palette} palette */
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
  g.font = `650 11px ${FONT}`;
  const long = g.measureText(name).width + 10;
  const text = Math.hypot(bx - ax, by - ay) > 2 * long ? name : name.charAt(0);
  paintTag(g, text, [(ax + bx) / 2, (ay + by) / 2], palette);
}

/** A place: a diamond, its name below. @param {CanvasRenderingContext2D} g @param {import("./model.js").MapModel["places"][number]} place @param {import("./geometry.js").Camera} camera @param {import("./geometry.js").Size} size @param {import("./palette.js").Palette} palette */
export function paintPlace(g, { x, y, name }, camera, size, palette) {
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
  paintTag(g, name, [px, py + 18], palette);
}

/** A word in a frame. @param {CanvasRenderingContext2D} g @param {string} text @param {[number, number]} at its middle @param {import("./palette.js").Palette} palette */
function paintTag(g, text, [x, y], palette) {
  g.font = `650 11px ${FONT}`;
  const wide = Math.max(16, g.measureText(text).width + 10);
  g.beginPath();
  g.roundRect(x - wide / 2, y - 8, wide, 16, 8);
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
