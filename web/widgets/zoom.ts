/**
 * Zoom of a drawing in a scrolling frame, by pinch or by the wheel with Ctrl.
 *
 * One finger scrolls the frame. An unscaled drawing fits its frame; when zoomed, the frame keeps its size
 * (`--room`), so that nothing else on the page moves. During the gesture only the elements' styles
 * change; `settle` receives the final scale for the next drawing.
 */

import type { Camera, Point } from "./map/geometry.js";
import { pinched, zoomed } from "./map/geometry.js";

/** called with the pixels per unit of the drawing, 0 to fit the frame */
type Settle = (scale: number) => void;

const MAX_SCALE = 2; // pixels per unit
const TILE = 8; // units per tile of the map's camera, which shows at most 40 pixels per tile
const REST = 160; // ms without a wheel event until the gesture ends

/** the current gesture; `whole`: the scale that fits the frame; `rest`: its timer */
let gesture: { fingers: [Point, Point] | null; whole: number; rest: number } | null = null;

/** The listeners of the frame. */
export function zooming(settle: Settle) {
  return {
    start: (event: TouchEvent) => event.touches.length === 2 && beginGesture(event, pairOf(event)),
    move: { handleEvent: onPinch, passive: false },
    end: (event: TouchEvent) => event.touches.length < 2 && endGesture(frameOf(event), settle),
    wheel: { handleEvent: (event: WheelEvent) => onWheel(event, settle), passive: false },
  };
}

/** The style of a drawing by its width in units. @param scale pixels per unit, 0 to fit the frame */
export const scaled = (width: number, scale: number) =>
  scale ? `width:${width * scale}px;max-width:none;max-height:none` : "";

const frameOf = (event: Event) => event.currentTarget as HTMLElement;

const drawingOf = (frame: HTMLElement) => frame.querySelector("svg") as SVGSVGElement;

const sizeOf = (frame: HTMLElement) => ({ width: frame.clientWidth, height: frame.clientHeight });

/** The matrix from the drawing to the screen. */
const matrixOf = (frame: HTMLElement) => drawingOf(frame).getScreenCTM() as DOMMatrix;

function pairOf({ touches }: TouchEvent): [Point, Point] | null {
  if (touches.length !== 2) return null;
  const [a, b] = [...touches].map((touch) => ({ x: touch.clientX, y: touch.clientY }));
  return [a, b];
}

function beginGesture(event: Event, fingers: [Point, Point] | null) {
  const frame = frameOf(event);
  gesture = { fingers, whole: gesture?.whole ?? wholeOf(frame), rest: gesture?.rest ?? 0 };
}

function onPinch(event: TouchEvent) {
  const after = pairOf(event);
  if (!after || !gesture?.fingers) return;
  if (event.cancelable) event.preventDefault();
  const frame = frameOf(event);
  const box = frame.getBoundingClientRect();
  const inside = (pair: [Point, Point]) =>
    pair.map(({ x, y }) => ({ x: x - box.left, y: y - box.top })) as [Point, Point];
  applyCamera(frame, pinched(cameraOf(frame), sizeOf(frame), inside(gesture.fingers), inside(after)));
  gesture.fingers = after;
}

function onWheel(event: WheelEvent, settle: Settle) {
  if (!event.ctrlKey) return;
  event.preventDefault();
  beginGesture(event, null);
  const frame = frameOf(event);
  const box = frame.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  applyCamera(frame, zoomed(cameraOf(frame), sizeOf(frame), 1.0015 ** -event.deltaY, x, y));
  if (!gesture) return;
  window.clearTimeout(gesture.rest);
  gesture.rest = window.setTimeout(() => endGesture(frame, settle), REST);
}

function endGesture(frame: HTMLElement, settle: Settle) {
  if (!gesture) return;
  gesture = null;
  settle(frame.classList.contains("large") ? matrixOf(frame).a : 0);
}

/** The scale at which the drawing fits its frame. */
function wholeOf(frame: HTMLElement) {
  if (!frame.classList.contains("large")) return measureFitting(frame);
  const { scrollLeft, scrollTop } = frame;
  const { style } = drawingOf(frame);
  const { cssText } = style;
  frame.classList.remove("large");
  style.cssText = "";
  const scale = measureFitting(frame);
  frame.classList.add("large");
  style.cssText = cssText;
  frame.scrollTo(scrollLeft, scrollTop);
  return scale;
}

/** Stores the height of the fitting frame in `--room`; returns the scale. */
function measureFitting(frame: HTMLElement) {
  frame.style.setProperty("--room", `${frame.clientHeight}px`);
  return matrixOf(frame).a;
}

/** The frame's view as a camera: its centre in tiles, y upwards as on the map. */
function cameraOf(frame: HTMLElement): Camera {
  const box = frame.getBoundingClientRect();
  const { a, e, f } = matrixOf(frame);
  return {
    scale: a * TILE,
    x: (box.left + frame.clientWidth / 2 - e) / a / TILE,
    y: -(box.top + frame.clientHeight / 2 - f) / a / TILE,
  };
}

/** Shows a view, or the fitting drawing if the view would not be larger. */
function applyCamera(frame: HTMLElement, camera: Camera) {
  const drawing = drawingOf(frame);
  const { width, height } = sizeOf(frame);
  const view = drawing.viewBox.baseVal;
  const scale = Math.min(camera.scale / TILE, MAX_SCALE);
  const large = scale > (gesture?.whole ?? 0) * 1.001;
  frame.classList.toggle("large", large);
  drawing.style.cssText = scaled(view.width, large ? scale : 0);
  if (!large) return;
  frame.scrollLeft = (camera.x * TILE - view.x) * scale - width / 2;
  frame.scrollTop = (-camera.y * TILE - view.y) * scale - height / 2;
}
