/**
 * What belongs to a player on a desk rather than to one game: the fields of the view that the desk's page
 * names as `lasting` (its own map pictures, say). They go along to every game, and each has a record of
 * its own: a field is one, a list is one an item, so that of two tabs which add to it neither takes away
 * what the other added.
 *
 * @typedef {import("./records.js").Records} Records
 * @typedef {import("./store.js").Entry} Entry
 * @typedef {readonly string[]} Names
 */
import { fingerprint, now } from "./records.js";

/** What of a view goes along to another game. @param {object} view @param {Names} [names] @returns {object} */
export function preferenceFields(view, names = []) {
  return Object.fromEntries(Object.entries(view).filter(([name]) => names.includes(name)));
}

/** What of a view belongs to its game. @param {object} view @param {Names} [names] @returns {object} */
export function gameFields(view, names = []) {
  return Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name)));
}

/** The fields as records hold them; a list in the order in which its items came. @param {Records} records @param {string} desk @returns {Record<string, unknown>} */
function fieldsIn(records, desk) {
  const start = `own/${desk}/`;
  /** @type {Record<string, any>} any: what stands in a list is the desk's affair */
  const fields = {};
  const kept = [...records].filter(([key]) => key.startsWith(start));
  for (const [key, { value }] of kept.sort(([a, x], [b, y]) => x.made - y.made || (a < b ? -1 : 1))) {
    const [name, mark] = key.slice(start.length).split("/");
    if (mark === undefined) fields[name] = value;
    else fields[name] = [...(fields[name] ?? []), value];
  }
  return fields;
}

/** The lasting fields of the desks as this tab knows them to be kept. */
export class Preferences {
  /** What stands under a key: a field's text, "" for an item of a list. @type {Map<string, string>} */
  #known = new Map();
  /** The lists as the view last had them, by desk and field: what is missing in the next was taken out.
   * @type {Map<string, string[]>} */
  #lists = new Map();
  /** @type {WeakMap<object, string>} the mark of an item, which may be long */
  #marks = new WeakMap();

  /** The lasting fields that are kept of a desk. @param {Records} records @param {string} desk @returns {object} */
  read(records, desk) {
    const fields = fieldsIn(records, desk);
    const names = Object.keys(fields);
    for (const [key, value] of this.#entries(desk, fields, names)) this.#know(key, value);
    this.#gone(desk, fields, names);
    return fields;
  }

  /** What an earlier page kept with its places in games is brought to its own place. @param {Records} records @param {string} desk @param {Names} [names] @returns {Entry[]} */
  moved(records, desk, names = []) {
    /** @type {Map<string, Entry>} */
    const moved = new Map();
    const places = [...records].filter(([key]) => key.startsWith(`cursor/${desk}/`));
    for (const [key, place] of places.sort(([, a], [, b]) => b.made - a.made)) {
      const lasting = preferenceFields(place.view, names);
      if (!Object.keys(lasting).length) continue;
      for (const [i, [own, value]] of this.#entries(desk, lasting, names).entries())
        if (!records.has(own) && !moved.has(own)) moved.set(own, [own, { value, made: place.made + i }]);
      moved.set(key, [key, { ...place, view: gameFields(place.view, names) }]);
    }
    return [...moved.values()];
  }

  /** What has to be written so that the view's lasting fields are kept. @param {string} desk @param {object} view @param {Names} [names] @returns {Entry[]} */
  news(desk, view, names = []) {
    const there = new Map(this.#entries(desk, view, names));
    /** @type {Entry[]} */
    const fresh = [...there]
      .filter(([key, value]) => this.#known.get(key) !== textUnder(key, value))
      .map(([key, value]) => [key, { value, made: now() }]);
    const gone = this.#gone(desk, view, names);
    for (const key of gone) this.#known.delete(key);
    for (const [key, { value }] of fresh) this.#know(key, value);
    return [...fresh, ...gone.map((key) => /** @type {Entry} */ ([key, undefined]))];
  }

  forget() {
    this.#known.clear();
    this.#lists.clear();
  }

  /** @param {string} key @param {unknown} value */
  #know(key, value) {
    this.#known.set(key, textUnder(key, value));
  }

  /** Items that the view's lists have no more. A view without the list at all took nothing out. @param {string} desk @param {Record<string, any>} view any: fields of any desk @param {Names} names @returns {string[]} */
  #gone(desk, view, names) {
    return names.flatMap((name) => {
      const list = `${desk}/${name}`;
      const before = this.#lists.get(list) ?? [];
      this.#lists.delete(list);
      if (!Array.isArray(view[name])) return [];
      const keys = this.#entries(desk, view, [name]).map(([key]) => key);
      this.#lists.set(list, keys);
      return before.filter((key) => !keys.includes(key));
    });
  }

  /** @param {string} desk @param {Record<string, any>} view any: fields of any desk @param {Names} names @returns {Entry[]} the value that is kept under each key */
  #entries(desk, view, names) {
    return names.flatMap((name) => {
      const value = view[name];
      if (value === undefined) return [];
      if (!Array.isArray(value)) return [/** @type {Entry} */ ([`own/${desk}/${name}`, value])];
      return value.map((item) => /** @type {Entry} */ ([`own/${desk}/${name}/${this.#mark(item)}`, item]));
    });
  }

  /** @param {unknown} item */
  #mark(item) {
    if (item === null || typeof item !== "object") return fingerprint(JSON.stringify(item));
    const known = this.#marks.get(item) ?? fingerprint(JSON.stringify(item));
    this.#marks.set(item, known);
    return known;
  }
}

/** Identity of a value under its key; an item's key is its identity. @param {string} key @param {unknown} value */
function textUnder(key, value) {
  return key.split("/").length > 3 ? "" : JSON.stringify(value);
}
