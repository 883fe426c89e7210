/**
 * Places the numbers of areas. Boxes lie inside their areas, so numbers in them never overlap. A best
 * area without room has its number next to it, with a line.
 *
 * @typedef {{area: number, at: [number, number], place: [number, number] | null}} Label
 *   `at`: a point in the area on the screen; `place`: next to the area if it has no room
 */
import { distanceToOutline, toScreen } from "./geometry.js";

export const TAG = 16; // pixels high

/** @typedef {import("./geometry.js").Areas} Areas */
/** @typedef {import("./geometry.js").Camera} Camera */
/** @typedef {import("./geometry.js").Size} Size */
/** @typedef {{wide: number, high: number}} Room */

const MOST_BESIDE = 12;

/** All labels of a view, those next to their areas last. @param {Areas} areas @param {Camera} camera @param {Size} size @param {Room} room @param {[number, number][]} dots on the screen, not to be covered @returns {Label[]} */
export function labelsOf(areas, camera, size, room, dots) {
  /** @type {Label[]} */
  const labels = [];
  const taken = [...dots];
  const without = [];
  for (let area = 0; area < areas.split.length; area++) {
    const best = areas.best[areas.split[area]] === 1;
    const at = roomFor(areas, area, camera, size, room);
    if (at && distanceToOutline(at[0], at[1], room.wide, room.high, dots)) {
      labels.push({ area, at, place: null });
      if (best) taken.push(at);
    } else if (best && without.length < MOST_BESIDE) without.push(area);
  }
  for (const area of without) {
    const at = middleOf(areas, area, camera, size);
    const inView = at[0] > 0 && at[1] > 0 && at[0] < size.width && at[1] < size.height;
    const place = inView ? calloutFor(at, room, taken, size) : null;
    if (!place) continue;
    taken.push([place[0] - room.wide / 2, place[1]], [place[0] + room.wide / 2, place[1]]);
    labels.push({ area, at, place });
  }
  return labels;
}

/** The part of an area's box that is in view, on the screen: left, top, right, bottom. @param {Areas} areas @param {number} c @param {Camera} camera @param {Size} size */
function boxInView(areas, c, camera, size) {
  const [x, y, wide, high] = areas.boxes.subarray(4 * c, 4 * c + 4);
  const [left, top] = toScreen(camera, size, areas.ox + x, areas.oy + y + high);
  return [
    Math.max(0, left),
    Math.max(0, top),
    Math.min(size.width, left + wide * camera.scale),
    Math.min(size.height, top + high * camera.scale),
  ];
}

/** Position of an area's number: the centre of the visible part of its box, or null if it is too small. @param {Areas} areas @param {number} c @param {Camera} camera @param {Size} size @param {{wide: number, high: number}} label @returns {[number, number] | null} */
function roomFor(areas, c, camera, size, label) {
  const [left, top, right, bottom] = boxInView(areas, c, camera, size);
  if (right - left < label.wide || bottom - top < label.high) return null;
  return [(left + right) / 2, (top + bottom) / 2];
}

/** The middle of an area's box on the screen, in view or not. @param {Areas} areas @param {number} c @param {Camera} camera @param {Size} size @returns {[number, number]} */
function middleOf(areas, c, camera, size) {
  const [x, y, wide, high] = areas.boxes.subarray(4 * c, 4 * c + 4);
  return toScreen(camera, size, areas.ox + x + wide / 2, areas.oy + y + high / 2);
}

const AROUND = [...Array(8).keys()].map((i) => [
  Math.cos((i * Math.PI) / 4 - 1),
  Math.sin((i * Math.PI) / 4 - 1),
]);

/** A free visible place near a point for a label of that size, or null. @param {[number, number]} at @param {{wide: number, high: number}} label @param {[number, number][]} taken @param {Size} size @returns {[number, number] | null} */
function calloutFor(at, label, taken, size) {
  for (const far of [30, 46, 64, 90, 120])
    for (const [u, v] of AROUND) {
      /** @type {[number, number]} */
      const place = [at[0] + far * u, at[1] + far * v];
      const inside =
        place[0] > label.wide &&
        place[1] > label.high &&
        place[0] < size.width - label.wide &&
        place[1] < size.height - label.high;
      const clear = distanceToOutline(place[0], place[1], 1.3 * label.wide, 2.2 * label.high, taken);
      if (inside && clear) return place;
    }
  return null;
}

/** Positions of place names: below, above, right or left, the first that covers no dot, place or name; otherwise below. @param {[number, number][]} points the places on the screen @param {number[]} wides of their names @param {[number, number][]} dots @returns {[number, number][]} */
export function namesOf(points, wides, dots) {
  /** @type {[number, number][]} */
  const taken = [...dots];
  return points.map(([x, y], i) => {
    const aside = wides[i] / 2 + 11;
    /** @type {[number, number][]} */
    const around = [
      [x, y + 18],
      [x, y - 18],
      [x + aside, y],
      [x - aside, y],
    ];
    const others = points.filter((_, j) => j !== i);
    const clear = around.find(([u, v]) => distanceToOutline(u, v, wides[i], TAG, [...taken, ...others]));
    const at = clear ?? around[0];
    taken.push(...along(at, wides[i]));
    return at;
  });
}

/** Sample points of a name, dense enough for overlap tests. @param {[number, number]} at @param {number} wide @returns {[number, number][]} */
export function along([x, y], wide) {
  const many = Math.ceil(wide / 16);
  return [...Array(many + 1).keys()].map((i) => [x - wide / 2 + (i * wide) / many, y]);
}
