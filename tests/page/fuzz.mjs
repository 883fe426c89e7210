/**
 * Opens damaged links, texts, files and storage in the page: reads lines of JSON [kind, value], writes one
 * line of JSON {drawn, wrong}. Run by tests/contract/test_page_fuzz.py.
 */
import { createInterface } from "node:readline";
import { Profile, visit } from "./site.mjs";

const [desk] = process.argv.slice(2);
const BROKEN = /could not be drawn|undefined|NaN|\[object/;
const MAX_MICROSECONDS = 3e6; // of processor time for an input; exponential backtracking takes minutes
const wrong = [];
let drawn = 0;
let page = await visit(`#/${desk}`);
const { encode } = await import("../../web/session/link.js");

const open = {
  async link(given) {
    const link = typeof given === "string" ? given.replace(/^[^#]*/, "") : await encode(desk, given);
    page = await visit(link || "#", { profile: page.profile });
    if (!page.notice.startsWith("This link could not be opened")) drawn++;
  },
  text: (text) => page.bring("paste", { text }),
  async home(text) {
    page = await visit("");
    await page.submit("Have it as text, link or picture?", text);
  },
  file: (text) => page.bring("drop", { files: [new File([text], "everything.json")] }),
  async kept(entries) {
    page = await visit(`#/${desk}`, { profile: new Profile(Object.fromEntries(entries)) });
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [kind, value] = JSON.parse(line);
  try {
    const before = process.cpuUsage();
    await open[kind](value);
    const { user } = process.cpuUsage(before);
    if (user > MAX_MICROSECONDS) throw new Error(`it took ${user / 1e6} s`);
    const { text } = page;
    const at = text.search(BROKEN);
    if (text.length < 200 || at >= 0) throw new Error(`it says ${text.slice(Math.max(0, at - 60), at + 60)}`);
    if (page.dialog) await page.close();
  } catch (problem) {
    wrong.push(`${problem.stack}\n${line.slice(0, 2000)}`);
  }
}
console.log(JSON.stringify({ drawn, wrong: wrong.slice(0, 3) }));
process.exit();
