/**
 * A custom element: a map of areas and spots with pan, zoom, pinch, a keyboard cursor and a cached layer.
 *
 * It draws its `model` and reports input by `events`. It is independent of the game: all texts come from
 * the model.
 */

import { html, render } from "../../vendor.js";
import type { Camera, MapEvents, MapModel, Tile } from "./geometry.js";
import { classAt, fitting, pinched, tileAt, toScreen, zoomed } from "./geometry.js";
import { paintLayer, paintTop, samePaint } from "./paint.js";
import type { Palette } from "./sheet.js";
import { FORCED, readPalette } from "./sheet.js";

const MARGIN = 0.35; // of the view, added on every side of the layer
const SETTLE = 90; // ms after the last zoom until the layer is painted again
const NEAR_SPOT = 14; // px
const TAP = 6; // px that a finger may move
const NUDGE = 60; // px from the edge at which the keyboard cursor moves the map

class TileMap extends HTMLElement {
  _model: MapModel | null = null;
  events: MapEvents | null = null;
  camera: Camera = { x: 0, y: 0, scale: 2 };
  size = { width: 1, height: 1 };
  layer = document.createElement("canvas");
  /** camera, size and pixel ratio of the painted layer */
  painted = { camera: this.camera, size: this.size, ratio: 1, valid: false };
  hover = -1;
  cursor: Tile | null = null;
  /** tile of the last touch; the next touch in its area presses */
  inspected: Tile | null = null;
  pointers: Map<number, { x: number; y: number }> = new Map();
  press: { x: number; y: number; moved: boolean; box: boolean } | null = null;
  drag: [number, number, number, number] | null = null;
  palette: Palette | undefined;
  frame = 0;
  settle = 0;
  shown = "";
  canvas: HTMLCanvasElement | undefined;
  probe: HTMLElement | undefined;
  info: HTMLElement | undefined;
  observer: ResizeObserver | undefined;
  themes: MutationObserver | undefined;

  connectedCallback() {
    if (this.canvas) return;
    this.innerHTML = `<canvas data-picture tabindex="0" role="application"></canvas>
      <i class="map-probe" hidden></i><p class="map-description" aria-hidden="true"></p><p class="map-north" aria-hidden="true"></p><div class="map-tools"></div>`;
    const canvas = this.querySelector("canvas") as HTMLCanvasElement;
    this.canvas = canvas;
    this.probe = this.querySelector(".map-probe") as HTMLElement;
    this.info = this.querySelector(".map-description") as HTMLElement;
    canvas.addEventListener("pointerdown", (e) => this.onDown(e));
    canvas.addEventListener("pointermove", (e) => this.onMove(e));
    canvas.addEventListener("pointerup", (e) => this.onUp(e));
    canvas.addEventListener("pointercancel", (e) => this.onUp(e));
    canvas.addEventListener("pointerleave", () => this.setHover(null));
    canvas.addEventListener("wheel", (e) => this.onWheel(e), { passive: false });
    canvas.addEventListener("keydown", (e) => this.onKey(e));
    canvas.addEventListener("blur", () => this.setCursor(null, false));
    this.observer = new ResizeObserver(() => this.onSize());
    this.observer.observe(this);
    this.themes = new MutationObserver(() => this.repaint());
    this.themes.observe(document.documentElement, { attributeFilter: ["data-theme", "data-palette"] });
    for (const query of ["(prefers-color-scheme: dark)", FORCED])
      matchMedia(query).addEventListener("change", () => this.repaint());
    this.onSize();
  }

  disconnectedCallback() {
    this.observer?.disconnect();
    this.themes?.disconnect();
    cancelAnimationFrame(this.frame);
  }

  set model(model: MapModel) {
    const before = this._model;
    this._model = model;
    if (this.inspected && (before?.areas?.labels !== model.areas?.labels || !model.inspects)) {
      this.inspected = null;
      this.showInfo();
    }
    if (this.canvas) this.canvas.setAttribute("aria-label", model.label);
    if (model.place !== this.shown && this.size.width > 1) this.showAll();
    if (!before || !samePaint(before, model)) this.painted.valid = false;
    this.toggleAttribute("data-stale", model.stale); // faded by CSS, so that a click paints the layer only once
    this.drawTools();
    this.scheduleDraw();
  }

  get model() {
    return this._model as MapModel;
  }

  onSize() {
    const { clientWidth: width, clientHeight: height } = this;
    if (!width || !height || !this.canvas) return;
    this.size = { width, height };
    const ratio = Math.min(devicePixelRatio || 1, 2);
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.painted.valid = false;
    if (this._model && this.model.place !== this.shown) this.showAll();
    this.scheduleDraw();
  }

  repaint() {
    this.palette = undefined;
    this.painted.valid = false;
    this.scheduleDraw();
  }

  showAll() {
    this.shown = this.model.place;
    this.camera = fitting(this.model.box, this.size);
    this.painted.valid = false;
    this.scheduleDraw();
  }

  /** Schedules a drawing in the next frame. */
  scheduleDraw() {
    if (!this.frame) this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.frame = 0;
    const { canvas, probe } = this;
    if (!canvas || !probe || !this._model || this.size.width < 2) return;
    this.palette ??= readPalette(probe);
    const ratio = canvas.width / this.size.width;
    if (!this.isLayerValid(ratio)) this.paintLayer(ratio);
    const g = canvas.getContext("2d") as CanvasRenderingContext2D;
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.fillStyle = this.palette.paper;
    g.fillRect(0, 0, canvas.width, canvas.height);
    this.copyLayer(g, ratio);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { camera, size, palette } = this;
    paintTop({ g, camera, size, palette }, this.model, {
      hover: this.hover >= 0 ? this.hover : this.areaOf(this.inspected),
      cursor: this.cursor ?? this.inspected,
      drag: this.drag,
      reach: this.model.reach,
    });
  }

  /** Whether the layer is still usable: same zoom (or zooming) and the view inside it. */
  isLayerValid(ratio: number) {
    const { painted, camera, size } = this;
    if (!painted.valid || painted.ratio !== ratio) return false;
    if (painted.camera.scale !== camera.scale) return this.settle > 0;
    const dx = Math.abs(camera.x - painted.camera.x) * camera.scale;
    const dy = Math.abs(camera.y - painted.camera.y) * camera.scale;
    return dx <= size.width * MARGIN && dy <= size.height * MARGIN;
  }

  paintLayer(ratio: number) {
    const size = { width: this.size.width * (1 + 2 * MARGIN), height: this.size.height * (1 + 2 * MARGIN) };
    const [wide, high] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (this.layer.width !== wide || this.layer.height !== high)
      Object.assign(this.layer, { width: wide, height: high });
    const g = this.layer.getContext("2d", { alpha: false }) as CanvasRenderingContext2D;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintLayer({ g, camera: this.camera, size, palette: this.palette as Palette }, this.model);
    this.painted = { camera: { ...this.camera }, size, ratio, valid: true };
    performance.clearMarks("map_painted");
    performance.mark("map_painted"); // measured by `make bench`
  }

  /** Copies the layer to the canvas, moved and scaled to the current camera. */
  copyLayer(g: CanvasRenderingContext2D, ratio: number) {
    const { painted, camera, size } = this;
    const grow = camera.scale / painted.camera.scale;
    const [x, y] = toScreen(camera, size, painted.camera.x, painted.camera.y);
    const wide = painted.size.width * grow;
    const high = painted.size.height * grow;
    const left = Math.round((x - wide / 2) * ratio);
    const top = Math.round((y - high / 2) * ratio);
    g.imageSmoothingEnabled = grow !== 1;
    g.drawImage(this.layer, left, top, Math.round(wide * ratio), Math.round(high * ratio));
  }

  zoom(factor: number, px: number = this.size.width / 2, py: number = this.size.height / 2) {
    this.setCamera(zoomed(this.camera, this.size, factor, px, py));
  }

  /** Sets the camera; the layer is painted again once it rests. */
  setCamera(camera: Camera) {
    this.camera = camera;
    clearTimeout(this.settle);
    this.settle = window.setTimeout(() => {
      this.settle = 0;
      this.scheduleDraw();
    }, SETTLE);
    this.scheduleDraw();
  }

  pointOf(event: MouseEvent): { x: number; y: number } {
    const box = (this.canvas as HTMLElement).getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  onDown(event: PointerEvent) {
    if (event.button > 1) return;
    this.canvas?.setPointerCapture(event.pointerId);
    const at = this.pointOf(event);
    this.pointers.set(event.pointerId, at);
    const box = this.model.draws && event.button === 0 && this.pointers.size === 1;
    this.press = this.pointers.size === 1 ? { ...at, moved: false, box } : null;
    if (this.pointers.size > 1) this.drag = null;
  }

  onMove(event: PointerEvent) {
    const at = this.pointOf(event);
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.setHover(at);
    if (this.pointers.size === 2) this.pinch(event.pointerId, at);
    else this.pan(before, at);
    this.pointers.set(event.pointerId, at);
    return undefined;
  }

  pan(before: { x: number; y: number }, at: { x: number; y: number }) {
    const { press } = this;
    if (!press) return;
    if (Math.hypot(at.x - press.x, at.y - press.y) > TAP) press.moved = true;
    if (!press.moved) return;
    if (press.box) {
      const [x0, y0] = tileAt(this.camera, this.size, press.x, press.y);
      const [x1, y1] = tileAt(this.camera, this.size, at.x, at.y);
      this.drag = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
    } else {
      const { scale } = this.camera;
      this.camera = {
        scale,
        x: this.camera.x - (at.x - before.x) / scale,
        y: this.camera.y + (at.y - before.y) / scale,
      };
    }
    this.scheduleDraw();
  }

  pinch(id: number, at: { x: number; y: number }) {
    const other = [...this.pointers].find(([key]) => key !== id)?.[1];
    const before = this.pointers.get(id);
    if (!other || !before) return;
    this.setCamera(pinched(this.camera, this.size, [before, other], [at, other]));
  }

  onUp(event: PointerEvent) {
    this.pointers.delete(event.pointerId);
    const { press, drag } = this;
    this.press = this.drag = null;
    if (!press || event.type === "pointercancel") return this.scheduleDraw();
    if (drag) this.events?.onBox(drag);
    else if (!press.moved) this.tap(press.x, press.y, event.pointerType === "touch");
    this.scheduleDraw();
    return undefined;
  }

  /** @param touched by touch, which cannot hover */
  tap(px: number, py: number, touched: boolean) {
    let near = -1;
    let least = NEAR_SPOT;
    this.model.spots.forEach((spot, i) => {
      const [u, v] = toScreen(this.camera, this.size, spot.x + 0.5, spot.y + 0.5);
      const away = Math.hypot(u - px, v - py);
      if (away < least) [near, least] = [i, away];
    });
    if (near >= 0 && this.events?.onSpot(near)) return;
    const tile = tileAt(this.camera, this.size, px, py);
    const inspects = touched && this.model.inspects && !this.sameArea(tile);
    this.inspected = inspects ? tile : null;
    this.showInfo();
    if (!inspects) this.events?.onTile(tile);
    else this.events?.announce(this.info?.textContent ?? "");
  }

  /** Whether a touch is in the area of the previous touch. */
  sameArea(tile: Tile) {
    const before = this.inspected;
    if (!before) return false;
    const near = Math.max(Math.abs(tile[0] - before[0]), Math.abs(tile[1] - before[1]));
    const area = this.areaOf(tile);
    return near * this.camera.scale <= NEAR_SPOT || (area >= 0 && area === this.areaOf(before));
  }

  /** @returns its area, or -1 */
  areaOf(tile: Tile | null): number {
    const areas = this._model?.areas;
    return tile && areas ? classAt(areas, ...tile) : -1;
  }

  /** Shows information about the hovered or touched tile. */
  showInfo(tile: Tile | null = null) {
    if (!this.info || !this._model) return;
    const { inspected, model } = this;
    if (tile) this.info.textContent = model.describe(...tile);
    else this.info.textContent = inspected ? `${model.describe(...inspected)} · ${model.words.again}` : "";
  }

  setHover(at: { x: number; y: number } | null) {
    const tile = at ? tileAt(this.camera, this.size, at.x, at.y) : null;
    const hover = this.areaOf(tile);
    this.showInfo(tile);
    if (hover === this.hover) return;
    this.hover = hover;
    this.scheduleDraw();
  }

  onWheel(event: WheelEvent) {
    event.preventDefault();
    const at = this.pointOf(event);
    this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0018)), at.x, at.y);
  }

  onKey(event: KeyboardEvent) {
    const step = event.shiftKey ? 10 : 1;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [-step, 0],
      ArrowRight: [step, 0],
      ArrowUp: [0, step],
      ArrowDown: [0, -step],
    };
    const move = moves[event.key];
    if (move) {
      const from = this.cursor ?? this.model.here ?? this.centreTile();
      this.setCursor(this.cursor ? [from[0] + move[0], from[1] + move[1]] : from, true);
    } else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") this.showAll();
    else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      const spot = this.model.spots.findIndex((s) => s.x === this.cursor?.[0] && s.y === this.cursor?.[1]);
      if (spot < 0 || !this.events?.onSpot(spot)) this.events?.onTile(this.cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  centreTile(): Tile {
    return [Math.floor(this.camera.x), Math.floor(this.camera.y)];
  }

  setCursor(tile: Tile | null, announce: boolean) {
    this.cursor = tile;
    if (tile) {
      this.moveIntoView(tile);
      this.showInfo(tile);
      if (announce) this.events?.announce(this.model.describe(...tile));
      this.hover = this.areaOf(tile);
    }
    this.scheduleDraw();
  }

  moveIntoView(tile: Tile) {
    const { camera, size } = this;
    const [px, py] = toScreen(camera, size, tile[0], tile[1]);
    const inside = px > NUDGE && py > NUDGE && px < size.width - NUDGE && py < size.height - NUDGE;
    if (!inside) this.camera = { ...camera, x: tile[0], y: tile[1] };
  }

  drawTools() {
    const place = this.querySelector(".map-tools");
    if (!(place instanceof HTMLElement)) return;
    const { words, reach, near } = this.model;
    const north = this.querySelector(".map-north");
    if (north) north.textContent = words.north;
    const button = (sign: string, name: string, run: () => void) =>
      html`<button class="icon" aria-label=${name} title=${name} @click=${run}>${sign}</button>`;
    render(
      html`${button("+", words.zoomIn, () => this.zoom(1.4))}${button("−", words.zoomOut, () => this.zoom(1 / 1.4))}
        ${button("⤢", words.whole, () => this.showAll())}
        ${near ? button("▣", words.near, () => this.setCamera(fitting(near, this.size))) : ""}
        <button class="icon" aria-label=${words.reach} title=${words.reach} aria-pressed=${reach} @click=${() => this.events?.onReach()}>◎</button>`,
      place,
    );
  }
}

if (!customElements.get("tile-map")) customElements.define("tile-map", TileMap);
