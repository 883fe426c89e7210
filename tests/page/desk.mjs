/**
 * A desk that is played without a browser, by the page's own history, questions and drawing:
 *
 *   const desk = await openDesk("code", { clues: [{ guess: "0011", exact: 1, partial: 1 }] });
 *   desk.page.one(".left").text; // "208 codes are still possible"
 *   await desk.press("Add these rows");
 *
 * What Python answers is read from tests/vectors/page_answers_<desk>.json, which
 * tests/record_answers.py writes and tests/contract/test_answers.py checks.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Drawn, draw, media } from "./template.mjs";

const { contextOf } = await import("../../web/shell/context.js");
const { History } = await import("../../web/session/history.js");
const { dispatch } = await import("../../web/session/keys.js");
const { freeze } = await import("../../web/session/link.js");
const { Questions } = await import("../../web/session/questions.js");
const { adviceFoot } = await import("../../web/shell/advice.js");
const { UpdateScheduler } = await import("../../web/shell/updates.js");
const link = await import("../../web/session/link.js");
const { complete, lean } = await import("../../web/validate.js");

export const FIRST_SEED = 7; // of every deal and practice, so that its answer can be recorded
const RECORD = process.env.CLUEWISE_RECORD === "1";
const drawn = crypto.getRandomValues.bind(crypto);
Object.defineProperty(globalThis.crypto, "getRandomValues", {
  value: (to) => (to.length === 1 ? to.fill(FIRST_SEED) : drawn(to)),
});

/** Recorded answers of a desk; when recording, Python is asked for those that are missing. */
class Answers {
  static #of = {};

  static of(desk) {
    Answers.#of[desk] ??= new Answers(desk);
    return Answers.#of[desk];
  }

  constructor(desk) {
    this.file = new URL(`../vectors/page_answers_${desk}.json`, import.meta.url);
    this.known = new Map(this.#read().map(({ ask, ...answer }) => [JSON.stringify(ask), answer]));
  }

  #read() {
    try {
      return JSON.parse(readFileSync(this.file, "utf8"));
    } catch (problem) {
      if (RECORD) return [];
      throw problem;
    }
  }

  async to(request) {
    // Without defaults, so that a new optional field of the position changes no key.
    const position = lean(request.desk, request.position ?? {});
    const key = JSON.stringify({ ...request, position });
    const found = this.known.get(key);
    if (found) return found;
    if (!RECORD) throw new Error(`No answer is recorded to ${key}. Run python tests/record_answers.py.`);
    const answer = await this.#ask(key);
    this.known.set(key, answer);
    const lines = [...this.known].map(([ask, one]) => `{"ask":${ask},${JSON.stringify(one).slice(1)}`);
    writeFileSync(this.file, `[\n${lines.sort().join(",\n")}\n]\n`);
    return answer;
  }

  async #ask(key) {
    this.python ??= startPython();
    const { stdin, stdout, answers } = this.python;
    stdout.ref();
    stdin.write(`${key}\n`);
    const { value, done } = await answers.next();
    stdout.unref();
    if (done) throw new Error("Python has ended: run python tests/record_answers.py");
    return JSON.parse(value);
  }
}

/** A process that answers lines of questions, and ends with this one. */
function startPython() {
  const python = spawn(process.env.CLUEWISE_PYTHON ?? "python3", ["tests/record_answers.py", "--answer"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { stdin, stdout } = python;
  python.unref();
  stdin.unref();
  return { stdin, stdout, answers: createInterface({ input: stdout })[Symbol.asyncIterator]() };
}

const ARRAYS = { B: Uint8Array, h: Int16Array, i: Int32Array, d: Float64Array };

/** Arrays as the worker sends them, of `{"tiles": ["i", 4, 2]}`. */
function typedArrays(arrays) {
  const made = ([code, ...values]) => ARRAYS[code].from(values);
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, made(array)]));
}

class Desk {
  #missing = null;
  #asking = 0;
  /** what a test typed into a field, by its place in the tree */
  #typed = new Map();
  #after = [];
  /** What was said to screen readers or shown as a notice, the newest last. */
  notices = [];

  constructor(
    page,
    position,
    { view, phase = "ready", silent = [], answer = () => undefined, embed = false },
  ) {
    this.silent = typeof silent === "function" ? silent : ({ want }) => silent.includes(want);
    this.answer = answer;
    this.desk = page;
    this.state = {
      desk: page.name,
      page,
      history: History.begin(page.name, freeze(page.accept(complete(page.name, position)))),
      view,
      phase: { name: phase },
      dialog: null,
      embed,
    };
    this.questions = new Questions(this, () => {});
    const gameStorage = { save: async () => true };
    const notice = (text) => text && this.notices.push(text);
    this.parts = { questions: this.questions, gameStorage, notice, redraw() {} };
    this.updates = new UpdateScheduler(this.state, this.parts);
    this.updates.changed();
  }

  /** The engine's part: an answer as it is recorded. */
  ask(request) {
    const given = this.answer(request);
    const quiet = this.state.phase.name !== "ready" || this.silent(request);
    let cancel = () => {};
    const stopped = new Promise((_, reject) => {
      cancel = () => reject({ kind: "stopped", message: "Stopped.", where: "$" });
    });
    stopped.catch(() => {});
    const answer = async () => {
      this.#asking++;
      try {
        const { result, arrays = {}, error } = given ?? (await Answers.of(request.desk).to(request));
        if (error) throw error;
        return { result, arrays: typedArrays(arrays) };
      } catch (problem) {
        if (problem instanceof Error) this.#missing = problem;
        throw problem;
      } finally {
        this.#asking--;
      }
    };
    const promise = quiet && !given ? stopped : Promise.race([answer(), stopped]);
    return { promise, cancel };
  }

  askInTurn({ arrays, ...request }) {
    const options = { ...request.options, text: new TextDecoder().decode(arrays.text) };
    const { promise, cancel } = this.ask({ ...request, options });
    const inBytes = ({ result }) => ({ result, arrays: { text: new TextEncoder().encode(result.text) } });
    return { promise: promise.then(inBytes), cancel };
  }

  gather() {}

  /** What the desk may do now. */
  get context() {
    return contextOf(this.state, {
      engine: this,
      questions: this.questions,
      updates: this.updates,
      redraw() {},
      afterDrawing: (run) => this.#after.push(run),
      open: (dialog) => {
        this.state.dialog = dialog;
      },
      notice: this.parts.notice,
    });
  }

  get position() {
    return this.state.history.position;
  }

  get view() {
    return this.state.view;
  }

  /** The desk as it is drawn now, its dialog last. */
  get page() {
    this.updates.settle();
    const { context } = this;
    const open = context.open;
    const foot = adviceFoot(this.desk, () => this.context, open);
    const root = draw([this.desk.draw(context), foot, this.state.dialog?.()]);
    this.#restore(root);
    return root;
  }

  /** The result in sentences, as the text view shows it. */
  get sentences() {
    return this.desk.describe(this.context);
  }

  /** The step that undo would take back. */
  get step() {
    return this.state.history.undoLabel;
  }

  /** The link of the position. */
  address() {
    return link.encode(this.desk.name, this.position);
  }

  #restore(root) {
    for (const [place, { bound, value, property }] of this.#typed) {
      const element = elementAt(root, place);
      if (!element || element.properties[property] !== bound) this.#typed.delete(place);
      else element.properties[property] = value;
    }
  }

  /** Until every question that is answered has its answer. */
  async settled() {
    do {
      this.updates.settle();
      this.desk.draw(this.context); // drawing may ask for a change of the view
      await new Promise((resolve) => setImmediate(resolve));
      for (const run of this.#after.splice(0)) run();
    } while (!this.#missing && this.#asking);
    if (this.#missing) throw this.#missing;
  }

  /** Press a button by its name, or an element. */
  async press(what, inside = this.page) {
    (what instanceof Drawn ? what : inside.role("button", what)).press();
    await this.settled();
  }

  /** Press an entry of a menu that a button opens. */
  async fromMenu(button, entry) {
    await this.press(button);
    await this.press(entry);
  }

  /** Open or close a part by its summary. */
  async unfold(name) {
    const [details] = this.page.all("details").filter((one) => {
      const text = one.all("summary")[0]?.name ?? "";
      return typeof name === "string" ? text === name : name.test(text);
    });
    if (!details) throw new Error(`no part is called ${name}`);
    details.properties.open = !details.open;
    details.dispatch("toggle", {}, false);
    await this.settled();
  }

  /** Type into a field by its label, replacing what is there. */
  async fill(field, text) {
    const element = field instanceof Drawn ? field : this.page.role("textbox", field);
    await this.#change(element, "value", text, ["input", "change"]);
  }

  async select(field, value) {
    const element = field instanceof Drawn ? field : this.page.role("combobox", field);
    await this.#change(element, "value", value, ["input", "change"]);
  }

  async check(field, on = true) {
    const element = field instanceof Drawn ? field : this.page.role("checkbox", field);
    await this.#change(element, "checked", on, ["change"]);
  }

  async #change(element, property, value, events) {
    this.#typed.set(placeOf(element), { bound: element.properties[property], value, property });
    element.properties[property] = value;
    for (const type of events) element.dispatch(type);
    await this.settled();
  }

  /** Keys in their order, each a name such as "Enter" or a text that is typed. */
  async keys(...keys) {
    const each = keys.flatMap((key) => (/^(?:[A-Z][a-zA-Z]+|.*\+.+)$/.test(key) ? [key] : [...key]));
    for (const chord of each) {
      const [key, ...held] = chord.split(/\+(?=.)/).reverse();
      const event = {
        key,
        target: null,
        ctrlKey: held.includes("Ctrl"),
        shiftKey: held.includes("Shift"),
        preventDefault() {},
      };
      dispatch(event, this.desk.keys(this.context));
      await this.settled();
    }
  }

  /** Undo with -1, redo with 1. */
  async move(steps) {
    this.state.history = this.state.history.move(steps);
    this.updates.changed();
    await this.settled();
  }
}

/** Where an element stands in the tree, such as "0/2/1 textarea Rows". */
function placeOf(element) {
  const way = [];
  for (let one = element; one.parent; one = one.parent) way.unshift(one.parent.children.indexOf(one));
  return `${way.join("/")} ${element.tag} ${element.attributes["aria-label"] ?? ""}`;
}

/** The element at that place, or null where another stands there now. */
function elementAt(root, place) {
  const way = place.split(" ")[0].split("/").map(Number);
  const found = way.reduce((one, i) => (one instanceof Drawn ? one.children[i] : undefined), root);
  return found instanceof Drawn && placeOf(found) === place ? found : null;
}

/**
 * Open a desk with a position, whose missing fields have their defaults, and wait for its answers.
 *
 * `position`: or its link; without it the desk's first position. `view`: the view to begin with.
 * `phase`: "loading" while Python is not there, so that nothing is answered. `silent`: verbs that
 * are never answered, or a function of a question. `answer(request)`: `{result}` or `{error}` of the
 * test's own, or undefined. `narrow`: the screen is a phone's. `embed`: the board is only looked at.
 */
export async function openDesk(name, position, { view = {}, narrow = false, ...options } = {}) {
  const { page } = await import(`../../web/desks/${name}/page.js`);
  media.matches = narrow;
  const given = typeof position === "string" ? (await link.decode(position))?.position : position;
  const desk = new Desk(page, given ?? page.initial(), { view, ...options });
  await desk.settled();
  return desk;
}
