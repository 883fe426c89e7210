/** A planned route as a picture: the map with every scan of the plan numbered, and the plan next to it. */
import { download } from "../../widgets/file.js";
import { readPalette } from "../../widgets/map/palette.js";
import { poster } from "../../widgets/map/poster.js";
import { endsOf } from "./leg-outcomes.js";
import { picturesOf } from "./map-images.js";
import type { Context, Node, Route } from "./model.js";
import { mapModel, nameOf, rangeOf, spotsOf, stopOf } from "./model.js";
import { capital, words } from "./strings.js";

export type Tile = [number, number];

/** How the way after each pulse is drawn. */
const DASH: Record<string, number[]> = { 1: [2, 5], 2: [10, 5], 3: [] };

export async function savePicture(context: Context, found: Route) {
  const probe = document.createElement("i");
  probe.hidden = true;
  document.body.append(probe);
  const palette = readPalette(probe);
  probe.remove();
  const { position } = context;
  const model = {
    ...mapModel(context, { target: null, path: [], pictures: picturesOf(context) }),
    plain: false,
  };
  const title = capital(nameOf(position));
  const line = words.line(rangeOf(position), spotsOf(position).length, null, Boolean(position.meerkats));
  const canvas = poster(model, palette, {
    title,
    about: `${line}. ${words.routeSum(found)} ${words.poster.stop(stopOf(context.view))}`,
    start: found.start,
    ...drawn(found),
    dashes: [1, 2].map((pulse) => ({ text: words.poster.after(pulse), dash: DASH[pulse] })),
    words: words.poster,
  });
  const blob: Blob | null = await new Promise((done) => canvas.toBlob(done, "image/png"));
  if (blob) download("route.png", blob);
}

/** The scans of a plan in order, the ways to them, and a line for each. */
export function drawn({ tree, start }: Route) {
  const nodes = scansOf(tree);
  const number = new Map(nodes.map((node, i) => [node, i + 1]));
  const begin = landed(tree) ?? start;
  const ways: { from: Tile; to: Tile; dash: number[] }[] = tree.tile
    ? [{ from: begin, to: tree.tile, dash: DASH[3] }]
    : [];
  const lines = nodes.map((node, i) => {
    const answers = endsOf(node).map(({ pulse, said, at, next }) => {
      const from = landed(next) ?? at ?? start;
      if (next.tile) ways.push({ from, to: next.tile, dash: DASH[pulse] });
      return `${said} ${next.tile ? words.poster.next(number.get(next) ?? 0) : words.poster.leaf(next)}`;
    });
    return words.poster.line(i + 1, node, answers);
  });
  const places = nodes.map((node, i) => ({ at: node.tile as Tile, name: String(i + 1) }));
  return { ways, lines, places };
}

/** Where the walk of a leg begins that goes by a teleport or over stairs. */
const landed = ({ uses }: Node) =>
  uses?.findLast(({ ability }) => ability === "teleport" || ability === "stairs")?.to;

/** @returns its scans, each before those that follow it */
function scansOf(tree: Node): Node[] {
  if (!tree.tile) return [];
  return [tree, ...endsOf(tree).flatMap((end) => scansOf(end.next))];
}
