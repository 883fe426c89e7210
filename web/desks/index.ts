/** The desks in the order of the tabs; a desk's page and style are fetched when it is first opened. */
import { words } from "../strings.js";
import { DESKS } from "../types/desks.js";
import type { DeskPage } from "./desk.js";

export type Entry = { title: string; game: string; load: () => Promise<{ page: DeskPage }> };

export const desks: Record<string, Entry> = Object.fromEntries(
  DESKS.map(({ name }) => [
    name,
    {
      ...words.gameNames[name as keyof typeof words.gameNames],
      load: () => styled(name, import(`./${name}/page.js`)),
    },
  ]),
);

const sheets: Map<string, { link: HTMLLinkElement; there: Promise<void> }> = new Map();
let dressed = "";

/**
 * Enables one desk's style sheet only, because desks share class names such as "cell".
 * @param name "" at home
 */
export function dress(name: string) {
  dressed = name;
  for (const [desk, { link }] of sheets) link.media = mediaOf(desk);
}

/** @returns the module, after its style sheet has loaded */
async function styled<T>(name: string, module: Promise<T>): Promise<T> {
  if (!sheets.has(name)) sheets.set(name, sheet(name));
  await sheets.get(name)?.there;
  return module;
}

function mediaOf(desk: string) {
  return desk === dressed ? "all" : "not all";
}

/** Adds a style sheet; if it fails to load, the desk still works. */
function sheet(name: string) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`./${name}/${name}.css`, import.meta.url).href;
  link.media = mediaOf(name);
  const there: Promise<void> = new Promise((done) => {
    link.onload = link.onerror = () => done();
  });
  document.head.append(link);
  return { link, there };
}
