/** Near duplicates of a list: clusters drawn as graphs, and their pairs as buttons that open both boards. */

import type { Cluster, Duplicates, NearPair } from "../../types/sudoku.js";
import { html, nothing, svg } from "../../vendor.js";
import { words } from "./strings.js";

export type Open = (pair: NearPair) => void;

const DRAWN = 6; // clusters that are drawn
const MEMBERS = 12; // lines of a cluster that are drawn
const LISTED = 40; // pairs that stand below
const [WIDE, NODE] = [360, 15];
const high = (lines: number[]) => (lines.length === 2 ? 64 : 240);

export function clusterDrawing(found: Duplicates, open: Open, busy: boolean) {
  if (!found.total) return html`<p class="quiet">${words.nearNone(found.certain)}</p>`;
  const drawn = found.clusters.slice(0, DRAWN);
  return html`<div class="clusters">${drawn.map((cluster) => picture(cluster, found.pairs, open))}</div>
    ${found.groups > drawn.length ? html`<p class="quiet">${words.nearMoreClusters(found.groups - drawn.length)}</p>` : nothing}
    <ul class="who">${found.pairs
      .slice(0, LISTED)
      .map(
        (pair) =>
          html`<li><button class="plain" ?disabled=${busy} @click=${() => open(pair)}>${words.nearPair(pair)}</button></li>`,
      )}</ul>
    <p class="quiet">${words.nearPress}</p>
    ${found.total > LISTED ? html`<p class="quiet">${words.nearMorePairs(found.total - LISTED)}</p>` : nothing}`;
}

/**
 * A cluster: its lines on a circle, pairs as edges. Each pair is also a button below, so the edges are a
 * short cut for pointers and the drawing has one label as a whole.
 */
function picture(cluster: Cluster, pairs: NearPair[], open: Open) {
  const lines = cluster.lines.slice(0, MEMBERS);
  const at = places(lines);
  const edges = pairs.filter(({ first, second }) => at.has(first) && at.has(second));
  return html`<figure class="cluster"><svg viewBox=${`0 0 ${WIDE} ${high(lines)}`} role="img" aria-label=${words.nearCluster(cluster, edges)}>
    ${edges.map((pair) => edge(pair, at, open))}
    ${lines.map((line) => {
      const [x, y] = at.get(line) ?? [0, 0];
      return svg`<g class="cluster-node"><rect x=${x - 30} y=${y - NODE} width="60" height=${2 * NODE} rx=${NODE}></rect><text x=${x} y=${y}>${words.nearNode(line)}</text></g>`;
    })}</svg>
    ${cluster.size > lines.length ? html`<figcaption class="quiet">${words.nearMoreLines(cluster.size - lines.length)}</figcaption>` : nothing}</figure>`;
}

function edge(pair: NearPair, at: Map<number, [number, number]>, open: Open) {
  const [[x, y], [u, v]] = [at.get(pair.first) ?? [0, 0], at.get(pair.second) ?? [0, 0]];
  const sign = words.nearSign(pair);
  // Off the middle, so that the signs of two crossing edges do not overlap.
  const [mx, my] = [x + 0.42 * (u - x), y + 0.42 * (v - y)];
  const half = 4 + 4 * sign.length;
  return svg`<g class=${`cluster-edge ${pair.edits ? "" : "same"}`} @click=${() => open(pair)}>
    <line class="cluster-reach" x1=${x} y1=${y} x2=${u} y2=${v}></line><line x1=${x} y1=${y} x2=${u} y2=${v}></line>
    <rect x=${mx - half} y=${my - 11} width=${2 * half} height="22" rx="11"></rect><text x=${mx} y=${my}>${sign}</text></g>`;
}

/** The points of the lines. */
function places(lines: number[]): Map<number, [number, number]> {
  const turn = (2 * Math.PI) / lines.length;
  const middle = high(lines) / 2;
  const start = lines.length === 2 ? Math.PI : -Math.PI / 2;
  return new Map(
    lines.map((line, i) => {
      const angle = start + i * turn;
      return [line, [WIDE / 2 + (WIDE / 2 - 40) * Math.cos(angle), middle + (middle - 24) * Math.sin(angle)]];
    }),
  );
}
