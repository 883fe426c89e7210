// What the page asks when a desk is opened for the first time, and when an example of the home page
// is opened: `node site/first_questions.mjs DIST` prints {"code": [[{"want", "position", "options"}, …], …], …},
// a list for the desk's first position and one for each example, word for word as the page would ask.
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
const { complete } = await import(pathToFileURL(path.join(site, "validate.js")).href);
const { EXAMPLES_SHOWN } = await import(pathToFileURL(path.join(site, "shell", "home.js")).href);
/** The mines desk asks nothing until Hint is pressed: its first degree is prepared as well. */
const VIEWS = { mines: [{}, { degree: 1 }] };
const questions = {};
for (const desk of process.argv.slice(3)) {
  const { page } = await import(pathToFileURL(path.join(site, "desks", desk, "page.js")).href);
  const asked = (position, view) =>
    Object.values(page.listRequests(page.accept(complete(desk, position)), view));
  const shown = page.examples.slice(0, EXAMPLES_SHOWN).map((example) => example.position);
  questions[desk] = [page.initial(), ...shown].map((position) =>
    (VIEWS[desk] ?? [{}])
      .flatMap((view) => asked(position, view))
      .map(({ want, position, options = {} }) => ({ want, position, options })),
  );
}
console.log(JSON.stringify(questions));
