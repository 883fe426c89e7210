/** Types of the map's model and events. */
import type { Areas, Tile } from "./geometry.js";
import type { Picture } from "./paint.js";

/** [x0, y0, x1, y1], inclusive. */
export type Box = [number, number, number, number];

export interface MapModel {
  /** description for screen readers */
  label: string;
  /** a new value shows the whole map (another region) */
  place: string;
  /** the box of the whole map */
  box: Box;
  /** the part of interest, shown by a button; null without it */
  near: Box | null;
  range: number;
  areas: Areas | null;
  /** the areas belong to an earlier position and are faded */
  stale: boolean;
  /** `other`: on another floor */
  spots: {
    x: number;
    y: number;
    name: string;
    other: boolean;
    open: boolean;
    out: boolean;
    chosen: boolean;
  }[];
  marks: { x: number; y: number; pulse: number; off: boolean; doubted: boolean }[];
  /** drawn areas */
  regions: { rect: Box; off: boolean }[];
  here: Tile | null;
  target: Tile | null;
  path: Tile[];
  /** parts of the path that are not walked, with a word */
  hops: { from: Tile; to: Tile; name: string }[];
  /** named places, such as a teleport's destination */
  places: { x: number; y: number; name: string }[];
  /** places to find one's way by: small, with their names where there is room */
  landmarks: { x: number; y: number; name: string }[];
  /** no numbers on areas and spots, and no borders */
  plain: boolean;
  /** show the triple and double squares around the cursor or `here` */
  reach: boolean;
  /** dragging draws a box instead of moving the map */
  draws: boolean;
  /** a first touch shows an area, a second touch in it presses */
  inspects: boolean;
  /** drawn below the areas */
  pictures: Picture[];
  classAt(x: number, y: number): number;
  /** text about a tile */
  tell(x: number, y: number): string;
  words: {
    zoomIn: string;
    zoomOut: string;
    whole: string;
    near: string;
    north: string;
    reach: string;
    again: string;
  };
}

export interface MapEvents {
  onTile(tile: Tile): void;
  /** false: the tile below counts */
  onSpot(spot: number): boolean;
  onBox(rect: Box): void;
  onReach(): void;
  say(text: string): void;
}
