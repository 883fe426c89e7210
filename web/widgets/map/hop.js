/** Parts of a path that are not walked, such as a leap: a word says how one gets across. */
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
  const wide = Math.max(16, g.measureText(text).width + 10);
  const [x, y] = [(ax + bx) / 2, (ay + by) / 2];
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
