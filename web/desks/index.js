/** The desks in the order of the tabs; a desk's page and style are fetched when it is first opened. */
import { words } from "../strings.js";
import { DESKS } from "../types/desks.js";

/** @typedef {import("./desk.js").DeskPage} DeskPage */
/** @typedef {{title: string, game: string, load: () => Promise<{page: DeskPage}>}} Entry */

/** @type {Record<string, Entry>} */
export const desks = Object.fromEntries(
  DESKS.map(({ name }) => [
    name,
    {
      ...words.gameNames[/** @type {keyof typeof words.gameNames} */ (name)],
      load: () => styled(name, import(`./${name}/page.js`)),
    },
  ]),
);

/** @type {Map<string, {link: HTMLLinkElement, there: Promise<void>}>} */
const sheets = new Map();
let dressed = "";

/** Enables one desk's style sheet only, because desks share class names such as "cell". @param {string} name "" at home */
export function dress(name) {
  dressed = name;
  for (const [desk, { link }] of sheets) link.media = mediaOf(desk);
}

/** @template T @param {string} name @param {Promise<T>} module @returns {Promise<T>} the module, after its style sheet has loaded */
async function styled(name, module) {
  if (!sheets.has(name)) sheets.set(name, sheet(name));
  await sheets.get(name)?.there;
  return module;
}

/** @param {string} desk */
function mediaOf(desk) {
  return desk === dressed ? "all" : "not all";
}

/** Adds a style sheet; if it fails to load, the desk still works. @param {string} name */
function sheet(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(`./${name}/${name}.css`, import.meta.url).href;
  link.media = mediaOf(name);
  /** @type {Promise<void>} */
  const there = new Promise((done) => {
    link.onload = link.onerror = () => done();
  });
  document.head.append(link);
  return { link, there };
}
