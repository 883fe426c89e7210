/** What a map shows and says: the shapes that map.js draws from. It knows tiles, no game. */
import type { Areas, Tile } from "./geometry.js";
import type { Picture } from "./paint.js";

/** [x0, y0, x1, y1], inclusive. */
export type Box = [number, number, number, number];

export interface MapModel {
  /** what the map is, for screen readers */
  label: string;
  /** a new value shows the whole map again (another region) */
  place: string;
  /** what "the whole map" is */
  box: Box;
  /** what is still of interest: a button shows it large; null without that button */
  near: Box | null;
  range: number;
  areas: Areas | null;
  /** the areas belong to an older position: shown faded */
  stale: boolean;
  /** `other`: not on the floor that is shown */
  spots: { x: number; y: number; name: string; other: boolean; open: boolean; out: boolean; chosen: boolean }[];
  marks: { x: number; y: number; pulse: number; off: boolean; doubted: boolean }[];
  /** drawn areas */
  regions: { rect: Box; off: boolean }[];
  here: Tile | null;
  target: Tile | null;
  path: Tile[];
  /** parts of the path that are not walked, each with a word */
  hops: { from: Tile; to: Tile; name: string }[];
  /** places with a name of their own, such as where a teleport leads */
  places: { x: number; y: number; name: string }[];
  /** show the squares of triple and double round the cursor or here */
  reach: boolean;
  /** dragging draws a box instead of moving the map */
  draws: boolean;
  /** a finger looks at an area first; a second touch in it presses */
  inspects: boolean;
  /** under the areas */
  pictures: Picture[];
  classAt(x: number, y: number): number;
  /** what is known about a tile, in words */
  tell(x: number, y: number): string;
  words: { zoomIn: string; zoomOut: string; whole: string; near: string; north: string; reach: string; again: string };
}

export interface MapEvents {
  onTile(tile: Tile): void;
  /** false: the tile below counts */
  onSpot(spot: number): boolean;
  onBox(rect: Box): void;
  onReach(): void;
  say(text: string): void;
}
