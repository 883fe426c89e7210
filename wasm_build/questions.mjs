// What the page asks when a desk is opened for the first time: `node questions.mjs DIST` prints
// {"code": [{"want", "position", "options"}, …], …}, word for word as the page would ask it.
//
// The desks' own pages are imported for it. They draw nothing here, so the few names that lit-html
// and custom elements want at their import stand for a document.
import path from "node:path";
import { pathToFileURL } from "node:url";

class Nothing extends EventTarget {}
const stands = { createTreeWalker: () => ({}), createComment: () => ({}), createElement: () => ({}) };
Object.assign(globalThis, {
  document: Object.assign(new Nothing(), stands),
  HTMLElement: Nothing,
  customElements: { define() {}, get() {} },
});

const site = path.resolve(process.argv[2]);
const { complete } = await import(pathToFileURL(path.join(site, "shape.js")).href);
const questions = {};
for (const desk of process.argv.slice(3)) {
  const { page } = await import(pathToFileURL(path.join(site, "desks", desk, "page.js")).href);
  const wanted = Object.values(page.wants(page.accept(complete(desk, page.initial())), {}));
  questions[desk] = wanted.map(({ want, position, options = {} }) => ({ want, position, options }));
}
console.log(JSON.stringify(questions));
