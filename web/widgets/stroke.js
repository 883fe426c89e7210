/**
 * A stroke of the finger: the advice bar is drawn up to open its sheet, the sheet's head down to
 * close it. What listens has `touch-action: pan-x`, so that the browser takes no such stroke for
 * scrolling; a stroke is none once it goes further sideways than along.
 */
const FAR = 28; // px: more than a tap that slips

/** @typedef {"up" | "down"} Way */

/** Where the stroke under way began. @type {{id: number, x: number, y: number} | null} */
let began = null;

/** What an element listens to. @param {Way} way @param {(event: PointerEvent) => void} run done once a stroke */
export function stroked(way, run) {
  return {
    start: (/** @type {PointerEvent} */ { pointerId: id, clientX: x, clientY: y, isPrimary }) => {
      if (isPrimary) began = { id, x, y };
    },
    move: (/** @type {PointerEvent} */ event) => {
      if (event.pointerId !== began?.id) return;
      const along = (event.clientY - began.y) * (way === "up" ? -1 : 1);
      const across = Math.abs(event.clientX - began.x);
      if (Math.max(along, across) < FAR) return;
      began = null;
      if (along > across) run(event);
    },
  };
}
