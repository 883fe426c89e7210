/**
 * The map's colours, read from the page's tokens: a canvas cannot read light-dark() by itself.
 *
 * @typedef {{ramp: string[], best: string, onBest: string, ink: string, soft: string, line: string,
 *   paper: string, wall: string, accent: string, risk: string, surface: string, hatched: boolean,
 *   key: string}} Palette
 */

const STEPS = 32;
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

/** @param {HTMLElement} probe an element inside the map, not seen @returns {Palette} */
export function readPalette(probe) {
  const read = (/** @type {string} */ value) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const ramp = Array.from({ length: STEPS + 1 }, (_, i) =>
    read(`color-mix(in oklch, var(--map-high) ${(100 * i) / STEPS}%, var(--map-low))`),
  );
  const named = Object.fromEntries(Object.entries(NAMES).map(([k, name]) => [k, read(`var(${name})`)]));
  const hatched = document.documentElement.dataset.palette === "clear";
  return /** @type {Palette} */ ({ ramp, hatched, key: `${ramp[0]}${ramp[STEPS]}${hatched}`, ...named });
}

/** The colour of an amount of information; low values are drawn closer together. @param {Palette} palette @param {number} bits @param {number} most */
export function colourOf(palette, bits, most) {
  const share = most > 0 ? (bits / most) ** 1.4 : 0;
  return palette.ramp[Math.round(STEPS * Math.min(1, share))];
}
