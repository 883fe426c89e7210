/**
 * Preferences: fields of the view that outlive a game, such as the player's own map images. The desk's
 * page lists their names (`lasting`). Each field has its own record, and each item of a list another, so
 * that two tabs that add to one list do not overwrite each other.
 *
 * @typedef {import("./records.js").Records} Records
 * @typedef {import("./store.js").Entry} Entry
 * @typedef {readonly string[]} Names
 */
import { fingerprint, now } from "./records.js";

/** The preferences of a view. @param {object} view @param {Names} [names] @returns {object} */
export function preferenceFields(view, names = []) {
  return Object.fromEntries(Object.entries(view).filter(([name]) => names.includes(name)));
}

/** A view without its preferences. @param {object} view @param {Names} [names] @returns {object} */
export function gameFields(view, names = []) {
  return Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name)));
}

/** The preferences in the records; list items in the order of their times. @param {Records} records @param {string} desk @returns {Record<string, unknown>} */
function fieldsIn(records, desk) {
  const start = `own/${desk}/`;
  /** @type {Record<string, any>} any: list items are the desk's */
  const fields = {};
  const kept = [...records].filter(([key]) => key.startsWith(start));
  for (const [key, { value }] of kept.sort(([a, x], [b, y]) => x.made - y.made || (a < b ? -1 : 1))) {
    const [name, mark] = key.slice(start.length).split("/");
    if (mark === undefined) fields[name] = value;
    else fields[name] = [...(fields[name] ?? []), value];
  }
  return fields;
}

/** The preferences of the desks as this tab knows them to be stored. */
export class Preferences {
  /** Stored values by key: a field's text, "" for a list item. @type {Map<string, string>} */
  #known = new Map();
  /** The view's lists at the last write, by desk and field, to detect removed items.
   * @type {Map<string, string[]>} */
  #lists = new Map();
  /** @type {WeakMap<object, string>} cached hash of an item */
  #marks = new WeakMap();

  /** The stored preferences of a desk. @param {Records} records @param {string} desk @returns {object} */
  read(records, desk) {
    const fields = fieldsIn(records, desk);
    const names = Object.keys(fields);
    for (const [key, value] of this.#entries(desk, fields, names)) this.#know(key, value);
    this.#gone(desk, fields, names);
    return fields;
  }

  /** Migrates preferences that an earlier version stored in cursors. @param {Records} records @param {string} desk @param {Names} [names] @returns {Entry[]} */
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

  /** The entries to write for the view's preferences. @param {string} desk @param {object} view @param {Names} [names] @returns {Entry[]} */
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

  /** Keys of items removed from the view's lists. A view without the list removed nothing. @param {string} desk @param {Record<string, any>} view any: fields of any desk @param {Names} names @returns {string[]} */
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

  /** @param {string} desk @param {Record<string, any>} view any: fields of any desk @param {Names} names @returns {Entry[]} the value of each key */
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

/** A text that differs for different values of a key; "" for items, whose key contains their hash. @param {string} key @param {unknown} value */
function textUnder(key, value) {
  return key.split("/").length > 3 ? "" : JSON.stringify(value);
}
