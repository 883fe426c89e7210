/**
 * The map's colours, read from the page's CSS tokens, because a canvas does not resolve light-dark().
 *
 * Under forced colours the ramp is four densities of hatching.
 */
export type Palette = {
  ramp: (string | CanvasPattern)[];
  best: string;
  onBest: string;
  ink: string;
  soft: string;
  line: string;
  paper: string;
  wall: string;
  accent: string;
  risk: string;
  surface: string;
  hatched: boolean;
  forced: boolean;
  key: string;
};

const STEPS = 32;
const GAPS = [0, 14, 7, 4]; // px between the lines of a hatching, from no information to the most
export const FORCED = "(forced-colors: active)";
const NAMES = {
  best: "--best",
  onBest: "--on-accent",
  ink: "--ink",
  soft: "--ink-soft",
  line: "--map-line",
  paper: "--paper",
  wall: "--map-wall",
  accent: "--accent",
  risk: "--risk",
  surface: "--surface",
};

/** @param probe an invisible element in the map */
export function readPalette(probe: HTMLElement): Palette {
  const read = (value: string) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const shades = Array.from({ length: STEPS + 1 }, (_, i) =>
    read(`color-mix(in oklch, var(--map-high) ${(100 * i) / STEPS}%, var(--map-low))`),
  );
  const named = Object.fromEntries(Object.entries(NAMES).map(([k, name]) => [k, read(`var(${name})`)]));
  const forced = matchMedia(FORCED).matches;
  const hatched = forced || document.documentElement.dataset.palette === "clear";
  const ramp = forced ? hatchings(named.ink, named.paper) : shades;
  const key = `${shades[0]}${shades[STEPS]}${hatched}${named.ink}`;
  return { ramp, hatched, forced, key, ...named } as Palette;
}

/** The ramp of hatchings, as long as that of shades. */
function hatchings(ink: string, paper: string) {
  const four = GAPS.map((gap) => hatching(ink, paper, gap) ?? paper);
  return Array.from({ length: STEPS + 1 }, (_, i) => four[Math.floor((i * (GAPS.length - 1)) / STEPS + 0.5)]);
}

/** A pattern of diagonal lines, `gap` pixels apart. */
function hatching(ink: string, paper: string, gap: number) {
  if (!gap) return paper;
  const tile = document.createElement("canvas");
  tile.width = tile.height = gap;
  const pen = tile.getContext("2d") as CanvasRenderingContext2D;
  pen.fillStyle = paper;
  pen.fillRect(0, 0, gap, gap);
  pen.strokeStyle = ink;
  pen.lineWidth = 0.8;
  pen.beginPath();
  for (const x of [-gap, 0, gap]) {
    pen.moveTo(x, gap);
    pen.lineTo(x + gap, 0);
  }
  pen.stroke();
  return pen.createPattern(tile, "repeat");
}

/** The colour of a number of bits; low values are compressed. */
export function colourOf(palette: Palette, bits: number, most: number) {
  const share = most > 0 ? (bits / most) ** 1.4 : 0;
  return palette.ramp[Math.round(STEPS * Math.min(1, share))];
}
