/**
 * Zooming a drawing in a frame that scrolls: two fingers apart or together, or the wheel with Ctrl.
 *
 * One finger scrolls the frame, as any part of a page. A whole drawing fits its frame, which then
 * has nothing to scroll; made larger by hand, it keeps that room (`--room`), so that nothing else on
 * the page moves. While the fingers move only the elements change; `settle` gets the
 * scale at the end for the next drawing.
 */
import { pinched, zoomed } from "./map/geometry.js";

/** @typedef {import("./map/geometry.js").Camera} Camera */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {(scale: number) => void} Settle gets the pixels of a unit of the drawing, 0 for the whole */

const MOST = 2; // pixels of a unit
const TILE = 8; // units: what the map's cameras count in, which see 40 pixels of it at most
const REST = 160; // ms without a turn of the wheel until it rests

/** @type {{fingers: [Point, Point] | null, whole: number, rest: number} | null} the gesture under way; `whole`: the scale of the whole */
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

/** The style of a drawing of so many units. @param {number} width @param {number} scale pixels of a unit, 0: the whole */
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

/** What the frame shows: its middle in tiles of the drawing, where up is more, as on the map. @param {HTMLElement} frame @returns {Camera} */
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
