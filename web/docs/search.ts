/** The search on the pages of the JSON contract and the Python package: names that contain the words. */

const MOST = 40;
const field = document.getElementById("find") as HTMLInputElement;
const list = document.getElementById("found") as HTMLElement;
const read = async (): Promise<Record<string, string[]>> =>
  (await fetch(new URL("search.json", import.meta.url))).json();
let index: ReturnType<typeof read> | undefined;

async function find() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  index ??= read();
  const ids = Object.entries(await index).flatMap(([page, all]) => all.map((id) => [page, id]));
  const hits = ids.filter(([, id]) => words.length && words.every((word) => id.toLowerCase().includes(word)));
  list.replaceChildren(
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

field.addEventListener("input", find);
