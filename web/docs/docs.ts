/**
 * The documentation pages: theme and palette, and the search on the pages of the JSON contract and the
 * Python package, for names that contain the words.
 */
import { applySettings } from "../session/store.js";

const MOST = 40;
const field = document.getElementById("find") as HTMLInputElement | null;
const list = document.getElementById("found");
const read = async (): Promise<Record<string, string[]>> =>
  (await fetch(new URL("search.json", import.meta.url))).json();
let index: ReturnType<typeof read> | undefined;

async function find(text: string) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  index ??= read();
  const ids = Object.entries(await index).flatMap(([page, all]) => all.map((id) => [page, id]));
  const hits = ids.filter(([, id]) => words.length && words.every((word) => id.toLowerCase().includes(word)));
  list?.replaceChildren(
    ...hits.slice(0, MOST).map(([page, id]) => {
      const link = document.createElement("a");
      link.href = `${page}#${id}`;
      link.textContent = id;
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
}

applySettings();
field?.addEventListener("input", () => find(field.value));
