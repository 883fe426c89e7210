/**
 * Preferences: fields of the view that outlive a game, such as the player's own map images. The desk's
 * page lists their names (`lasting`). Each field has its own record, and each item of a list another, so
 * that two tabs that add to one list do not overwrite each other.
 */

import type { Records } from "./records.js";
import { fingerprint, now } from "./records.js";
import type { Entry } from "./store.js";

type Names = readonly string[];

/** The preferences of a view. */
export function preferenceFields(view: object, names: Names = []): object {
  return Object.fromEntries(Object.entries(view).filter(([name]) => names.includes(name)));
}

/** A view without its preferences. */
export function gameFields(view: object, names: Names = []): object {
  return Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name)));
}

/** The preferences in the records; list items in the order of their times. */
function fieldsIn(records: Records, desk: string): Record<string, unknown> {
  const start = `own/${desk}/`;
  /** any: list items are the desk's */
  const fields: Record<string, any> = {};
  const kept = [...records].filter(([key]) => key.startsWith(start));
  for (const [key, { value }] of kept.sort(([a, x], [b, y]) => x.made - y.made || (a < b ? -1 : 1))) {
    const [name, hash] = key.slice(start.length).split("/");
    if (hash === undefined) fields[name] = value;
    else fields[name] = [...(fields[name] ?? []), value];
  }
  return fields;
}

/** The preferences of the desks as this tab knows them to be stored. */
export class Preferences {
  /** Stored values by key: a field's text, "" for a list item. */
  #known: Map<string, string> = new Map();
  /** The view's lists at the last write, by desk and field, to detect removed items. */
  #lists: Map<string, string[]> = new Map();
  /** cached hash of an item */
  #hashes: WeakMap<object, string> = new WeakMap();

  /** The stored preferences of a desk. */
  read(records: Records, desk: string): object {
    const fields = fieldsIn(records, desk);
    const names = Object.keys(fields);
    for (const [key, value] of this.#entries(desk, fields, names)) this.#remember(key, value);
    this.#removedItems(desk, fields, names);
    return fields;
  }

  /** Migrates preferences that an earlier version stored in cursors. */
  migrate(records: Records, desk: string, names: Names = []): Entry[] {
    const moved: Map<string, Entry> = new Map();
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

  /** The entries to write for the view's preferences. */
  changes(desk: string, view: object, names: Names = []): Entry[] {
    const entries = new Map(this.#entries(desk, view, names)); // equal items of a list have one key
    const fresh: Entry[] = [...entries]
      .filter(([key, value]) => this.#known.get(key) !== textUnder(key, value))
      .map(([key, value]) => [key, { value, made: now() }]);
    const gone = this.#removedItems(desk, view, names);
    for (const key of gone) this.#known.delete(key);
    for (const [key, { value }] of fresh) this.#remember(key, value);
    return [...fresh, ...gone.map((key) => [key, undefined] as Entry)];
  }

  forget() {
    this.#known.clear();
    this.#lists.clear();
  }

  #remember(key: string, value: unknown) {
    this.#known.set(key, textUnder(key, value));
  }

  /**
   * Keys of items removed from the view's lists. A view without the list removed nothing.
   * @param view any: fields of any desk
   */
  #removedItems(desk: string, view: Record<string, any>, names: Names): string[] {
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

  /** @param view any: fields of any desk @returns the value of each key */
  #entries(desk: string, view: Record<string, any>, names: Names): Entry[] {
    return names.flatMap((name) => {
      const value = view[name];
      if (value === undefined) return [];
      if (!Array.isArray(value)) return [[`own/${desk}/${name}`, value] as Entry];
      return value.map((item) => [`own/${desk}/${name}/${this.#hash(item)}`, item] as Entry);
    });
  }

  #hash(item: unknown) {
    if (item === null || typeof item !== "object") return fingerprint(JSON.stringify(item));
    const known = this.#hashes.get(item) ?? fingerprint(JSON.stringify(item));
    this.#hashes.set(item, known);
    return known;
  }
}

/** A text that differs for different values of a key; "" for items, whose key contains their hash. */
function textUnder(key: string, value: unknown) {
  return key.split("/").length > 3 ? "" : JSON.stringify(value);
}
