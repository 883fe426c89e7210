/**
 * Vertical swipes: up on the advice bar opens its sheet, down on the sheet's head closes it. The element
 * has `touch-action: pan-x`, so that the browser does not scroll vertically. A gesture that is more
 * horizontal than vertical is ignored.
 */
const FAR = 28; // px, more than the movement of a tap

/** @typedef {"up" | "down"} Way */

/** Start of the current swipe. @type {{id: number, x: number, y: number} | null} */
let began = null;

/** The pointer listeners of an element. @param {Way} way @param {(event: PointerEvent) => void} run called once per swipe */
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
