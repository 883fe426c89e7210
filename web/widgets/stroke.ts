/**
 * Vertical swipes: up on the advice bar opens its sheet, down on the sheet's head closes it. The element
 * has `touch-action: pan-x`, so that the browser does not scroll vertically. A gesture that is more
 * horizontal than vertical is ignored.
 */
const FAR = 28; // px, more than the movement of a tap

export type Way = "up" | "down";

/** Start of the current swipe. */
let began: { id: number; x: number; y: number } | null = null;

/** The pointer listeners of an element. @param run called once per swipe */
export function stroked(way: Way, run: (event: PointerEvent) => void) {
  return {
    start: ({ pointerId: id, clientX: x, clientY: y, isPrimary }: PointerEvent) => {
      if (isPrimary) began = { id, x, y };
    },
    move: (event: PointerEvent) => {
      if (event.pointerId !== began?.id) return;
      const along = (event.clientY - began.y) * (way === "up" ? -1 : 1);
      const across = Math.abs(event.clientX - began.x);
      if (Math.max(along, across) < FAR) return;
      began = null;
      if (along > across) run(event);
    },
  };
}
