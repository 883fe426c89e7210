/**
 * Zoom of a drawing in a scrolling frame, by pinch or by the wheel with Ctrl.
 *
 * One finger scrolls the frame. An unscaled drawing fits its frame; when zoomed, the frame keeps its size
 * (`--room`), so that nothing else on the page moves. During the gesture only the elements' styles
 * change; `settle` receives the final scale for the next drawing.
 */
import { pinched, zoomed } from "./map/geometry.js";

/** @typedef {import("./map/geometry.js").Camera} Camera */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {(scale: number) => void} Settle called with the pixels per unit of the drawing, 0 for the whole */

const MOST = 2; // pixels per unit
const TILE = 8; // units per tile of the map's camera, which shows at most 40 pixels per tile
const REST = 160; // ms without a wheel event until the gesture ends

/** @type {{fingers: [Point, Point] | null, whole: number, rest: number} | null} the current gesture; `whole`: the scale that fits the frame */
let gesture = null;

/** What the frame listens to. @param {Settle} settle */
export function zooming(settle) {
  return {
    start: (/** @type {TouchEvent} */ event) => event.touches.length === 2 && begin(event, pairOf(event)),
    move: { handleEvent: spread, passive: false },
    end: (/** @type {TouchEvent} */ event) => event.touches.length < 2 && end(frameOf(event), settle),
    wheel: { handleEvent: (/** @type {WheelEvent} */ event) => turn(event, settle), passive: false },
  };
}

/** The style of a drawing by its width in units. @param {number} width @param {number} scale pixels per unit, 0: the whole */
export const scaled = (width, scale) =>
  scale ? `width:${width * scale}px;max-width:none;max-height:none` : "";

/** @param {Event} event */
const frameOf = (event) => /** @type {HTMLElement} */ (event.currentTarget);

/** @param {HTMLElement} frame */
const drawingOf = (frame) => /** @type {SVGSVGElement} */ (frame.querySelector("svg"));

/** @param {HTMLElement} frame */
const sizeOf = (frame) => ({ width: frame.clientWidth, height: frame.clientHeight });

/** From screen to drawing. @param {HTMLElement} frame */
const matrixOf = (frame) => /** @type {DOMMatrix} */ (drawingOf(frame).getScreenCTM());

/** @param {TouchEvent} event @returns {[Point, Point] | null} */
function pairOf({ touches }) {
  if (touches.length !== 2) return null;
  const [a, b] = [...touches].map((touch) => ({ x: touch.clientX, y: touch.clientY }));
  return [a, b];
}

/** @param {Event} event @param {[Point, Point] | null} fingers */
function begin(event, fingers) {
  const frame = frameOf(event);
  gesture = { fingers, whole: gesture?.whole ?? wholeOf(frame), rest: gesture?.rest ?? 0 };
}

/** @param {TouchEvent} event */
function spread(event) {
  const after = pairOf(event);
  if (!after || !gesture?.fingers) return;
  if (event.cancelable) event.preventDefault();
  const frame = frameOf(event);
  const box = frame.getBoundingClientRect();
  const inside = (/** @type {[Point, Point]} */ pair) =>
    /** @type {[Point, Point]} */ (pair.map(({ x, y }) => ({ x: x - box.left, y: y - box.top })));
  look(frame, pinched(cameraOf(frame), sizeOf(frame), inside(gesture.fingers), inside(after)));
  gesture.fingers = after;
}

/** @param {WheelEvent} event @param {Settle} settle */
function turn(event, settle) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  begin(event, null);
  const frame = frameOf(event);
  const box = frame.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  look(frame, zoomed(cameraOf(frame), sizeOf(frame), 1.0015 ** -event.deltaY, x, y));
  if (!gesture) return;
  window.clearTimeout(gesture.rest);
  gesture.rest = window.setTimeout(() => end(frame, settle), REST);
}

/** @param {HTMLElement} frame @param {Settle} settle */
function end(frame, settle) {
  if (!gesture) return;
  gesture = null;
  settle(frame.classList.contains("large") ? matrixOf(frame).a : 0);
}

/** The scale that the whole has in its frame. @param {HTMLElement} frame */
function wholeOf(frame) {
  if (!frame.classList.contains("large")) return measured(frame);
  const { scrollLeft, scrollTop } = frame;
  const { style } = drawingOf(frame);
  const { cssText } = style;
  frame.classList.remove("large");
  style.cssText = "";
  const scale = measured(frame);
  frame.classList.add("large");
  style.cssText = cssText;
  frame.scrollTo(scrollLeft, scrollTop);
  return scale;
}

/** Where the whole is shown: its scale; its room is noted. @param {HTMLElement} frame */
function measured(frame) {
  frame.style.setProperty("--room", `${frame.clientHeight}px`);
  return matrixOf(frame).a;
}

/** The frame's view as a camera: its centre in tiles, y upwards as on the map. @param {HTMLElement} frame @returns {Camera} */
function cameraOf(frame) {
  const box = frame.getBoundingClientRect();
  const { a, e, f } = matrixOf(frame);
  return {
    scale: a * TILE,
    x: (box.left + frame.clientWidth / 2 - e) / a / TILE,
    y: -(box.top + frame.clientHeight / 2 - f) / a / TILE,
  };
}

/** Show that, or the whole where it would be no larger. @param {HTMLElement} frame @param {Camera} camera */
function look(frame, camera) {
  const drawing = drawingOf(frame);
  const { width, height } = sizeOf(frame);
  const view = drawing.viewBox.baseVal;
  const scale = Math.min(camera.scale / TILE, MOST);
  const large = scale > (gesture?.whole ?? 0) * 1.001;
  frame.classList.toggle("large", large);
  drawing.style.cssText = scaled(view.width, large ? scale : 0);
  if (!large) return;
  frame.scrollLeft = (camera.x * TILE - view.x) * scale - width / 2;
  frame.scrollTop = (-camera.y * TILE - view.y) * scale - height / 2;
}
