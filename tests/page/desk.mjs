/**
 * A desk without a browser, run by the page's own history, questions and drawing:
 *
 *   const desk = await openDesk("code", { clues: [{ guess: "0011", exact: 1, partial: 1 }] });
 *   desk.page.one(".left").text; // "208 codes are still possible"
 *   await desk.press("Add these rows");
 *
 * Python's answers are read from tests/vectors/page_answers_<desk>.json, written by
 * tests/record_answers.py and checked by tests/contract/test_answers.py.
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

export const FIRST_SEED = 7; // the only random seed, so that answers can be recorded
const RECORD = process.env.CLUEWISE_RECORD === "1";
const getRandomValues = crypto.getRandomValues.bind(crypto);
Object.defineProperty(globalThis.crypto, "getRandomValues", {
  value: (to) => (to.length === 1 ? to.fill(FIRST_SEED) : getRandomValues(to)),
});

/** Recorded answers of a desk; when recording, missing ones are computed by Python. */
class Answers {
  static #byDesk = {};

  static of(desk) {
    Answers.#byDesk[desk] ??= new Answers(desk);
    return Answers.#byDesk[desk];
  }

  constructor(desk) {
    this.file = new URL(`../vectors/page_answers_${desk}.json`, import.meta.url);
    this.recorded = new Map(this.#read().map(({ ask, ...answer }) => [JSON.stringify(ask), answer]));
  }

  #read() {
    try {
      return JSON.parse(readFileSync(this.file, "utf8"));
    } catch (problem) {
      if (RECORD) return [];
      throw problem;
    }
  }

  /** The answer to a request; throws if none is recorded. */
  async get(request) {
    // Without defaults, so that a new optional field of the position changes no key.
    const position = lean(request.desk, request.position ?? {});
    const key = JSON.stringify({ ...request, position });
    const found = this.recorded.get(key);
    if (found) return found;
    if (!RECORD) throw new Error(`No answer is recorded for ${key}. Run python tests/record_answers.py.`);
    const answer = await this.#ask(key);
    this.recorded.set(key, answer);
    const lines = [...this.recorded].map(([ask, one]) => `{"ask":${ask},${JSON.stringify(one).slice(1)}`);
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

/** A process that answers requests, one per line, and ends with this process. */
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

/** Typed arrays as the worker posts them, from `{"tiles": ["i", 4, 2]}`. */
function typedArrays(arrays) {
  const made = ([code, ...values]) => ARRAYS[code].from(values);
  return Object.fromEntries(Object.entries(arrays).map(([name, array]) => [name, made(array)]));
}

class Desk {
  #missing = null;
  #asking = 0;
  /** texts typed into fields, by place in the tree */
  #typed = new Map();
  #after = [];
  /** The notices shown so far, the newest last. */
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

  /** The engine's interface: resolves with the recorded answer. */
  ask(request) {
    const own = this.answer(request);
    const quiet = this.state.phase.name !== "ready" || this.silent(request);
    let cancel = () => {};
    const stopped = new Promise((_, reject) => {
      cancel = () => reject({ kind: "stopped", message: "Stopped.", where: "$" });
    });
    stopped.catch(() => {});
    const answer = async () => {
      this.#asking++;
      try {
        const { result, arrays = {}, error } = own ?? (await Answers.of(request.desk).get(request));
        if (error) throw error;
        return { result, arrays: typedArrays(arrays) };
      } catch (problem) {
        if (problem instanceof Error) this.#missing = problem;
        throw problem;
      } finally {
        this.#asking--;
      }
    };
    const promise = quiet && !own ? stopped : Promise.race([answer(), stopped]);
    return { promise, cancel };
  }

  askInTurn({ arrays, ...request }) {
    const options = { ...request.options, text: new TextDecoder().decode(arrays.text) };
    const { promise, cancel } = this.ask({ ...request, options });
    const inBytes = ({ result }) => ({ result, arrays: { text: new TextEncoder().encode(result.text) } });
    return { promise: promise.then(inBytes), cancel };
  }

  gather() {}

  /** The context that the shell passes to the desk. */
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

  /** The current drawing of the desk, its dialog last. */
  get page() {
    this.updates.settle();
    const { context } = this;
    const open = context.open;
    const foot = adviceFoot(this.desk, () => this.context, open);
    const root = draw([this.desk.draw(context), foot, this.state.dialog?.()]);
    this.#restore(root);
    return root;
  }

  /** The sentences of the text view. */
  get sentences() {
    return this.desk.describe(this.context);
  }

  /** The label of the step that undo reverts. */
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

  /** Waits for the answers to all questions that get one. */
  async settled() {
    do {
      this.updates.settle();
      this.desk.draw(this.context); // drawing may ask for a change of the view
      await new Promise((resolve) => setImmediate(resolve));
      for (const run of this.#after.splice(0)) run();
    } while (!this.#missing && this.#asking);
    if (this.#missing) throw this.#missing;
  }

  /** Presses a button by its name, or an element. */
  async press(what, inside = this.page) {
    (what instanceof Drawn ? what : inside.role("button", what)).press();
    await this.settled();
  }

  /** Presses an entry of a menu that a button opens. */
  async fromMenu(button, entry) {
    await this.press(button);
    await this.press(entry);
  }

  /** Opens or closes a <details> element by its summary. */
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

  /** Replaces the text of a field, by its label. */
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

  /** Presses keys, each a name such as "Enter" or a text to type. */
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

  /** Undoes (-1) or redoes (1) a step. */
  async move(steps) {
    this.state.history = this.state.history.move(steps);
    this.updates.changed();
    await this.settled();
  }
}

/** The place of an element in the tree, such as "0/2/1 textarea Rows". */
function placeOf(element) {
  const indices = [];
  for (let one = element; one.parent; one = one.parent) indices.unshift(one.parent.children.indexOf(one));
  return `${indices.join("/")} ${element.tag} ${element.attributes["aria-label"] ?? ""}`;
}

/** The element at a place, or null if another one is there now. */
function elementAt(root, place) {
  const indices = place.split(" ")[0].split("/").map(Number);
  const found = indices.reduce((one, i) => (one instanceof Drawn ? one.children[i] : undefined), root);
  return found instanceof Drawn && placeOf(found) === place ? found : null;
}

/**
 * Opens a desk with a position, whose missing fields have their defaults, and waits for its answers.
 *
 * `position`: a position or a link; default: the desk's first position. `view`: the first view.
 * `phase`: "loading" while Python starts, so that no question is answered. `silent`: verbs that are
 * never answered, or a predicate of requests. `answer(request)`: `{result}` or `{error}` instead of the
 * recorded answer, or undefined. `narrow`: a phone's screen. `embed`: a read-only board.
 */
export async function openDesk(name, position, { view = {}, narrow = false, ...options } = {}) {
  const { page } = await import(`../../web/desks/${name}/page.js`);
  media.matches = narrow;
  const first = typeof position === "string" ? (await link.decode(position))?.position : position;
  const desk = new Desk(page, first ?? page.initial(), { view, ...options });
  await desk.settled();
  return desk;
}
