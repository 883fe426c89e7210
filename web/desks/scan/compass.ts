/** Lengths and directions of ways on the map. */

/** Steps of a run between two tiles on open ground: the larger of the two distances. */
export const stepsBetween = ([x0, y0]: number[], [x1, y1]: number[]) =>
  Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0));

/** The compass point of a way, 0 = north to 7 = north-west, clockwise; -1 where it has no length. */
export function compassPoint([x0, y0]: number[], [x1, y1]: number[]) {
  if (x0 === x1 && y0 === y1) return -1;
  return (Math.round(Math.atan2(x1 - x0, y1 - y0) / (Math.PI / 4)) + 8) % 8;
}

/** The angle of a way in degrees, clockwise from north. */
export const bearing = ([x0, y0]: number[], [x1, y1]: number[]) =>
  Math.round((Math.atan2(x1 - x0, y1 - y0) * 180) / Math.PI);
