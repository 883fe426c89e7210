/** Deep freezing of positions, and their equality. */
import { canonical } from "./link.js";

export type Accepts = { accept(position: unknown): unknown };

/** Freezes a position, so that a desk that changes one gets an error. */
export function freeze<T>(value: T): T {
  if (value && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}

/** Whether two positions have the same link. */
export function samePosition(desk: string, a: unknown, b: unknown) {
  return canonical(desk, a) === canonical(desk, b);
}
