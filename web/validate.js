/**
 * Structural validation and defaults of positions from a link, storage or a file, by JSON Schemas
 * generated from the Python package's structs (types/shapes.js). Rules of a game are checked by its
 * desk.
 *
 * @typedef {{$ref?: string, $defs?: Record<string, Schema>, type?: string, enum?: unknown[], anyOf?: Schema[], items?: Schema | false,
 *   prefixItems?: Schema[], properties?: Record<string, Schema>, required?: string[],
 *   additionalProperties?: Schema | false, default?: unknown, minItems?: number, maxItems?: number,
 *   minLength?: number, maxLength?: number, minimum?: number, maximum?: number}} Schema
 */
import { shapes } from "./types/shapes.js";

/** A value that does not match the schema; the message names the place. */
export class Misfit extends Error {}

/** An unknown field or value, possibly of a newer version. */
export class Unknown extends Misfit {}

/**
 * The position with every default filled in: `complete("code", {}).rules.pegs === 4`. Throws a
 * `Misfit` that names the first mismatch.
 * @param {string} desk @param {unknown} value @returns {any} any: of the schema's type, which the desk declares
 */
export function complete(desk, value) {
  return filled(resolved(desk, shapes[desk]), value, "", desk);
}

/**
 * The position without defaults, keys sorted, as in its canonical text.
 * @param {string} desk @param {unknown} value @returns {unknown}
 */
export function lean(desk, value) {
  const { desk: name = desk, v = 1, ...rest } = /** @type {Record<string, unknown>} */ (value);
  const left = /** @type {Record<string, unknown>} */ (without(resolved(desk, shapes[desk]), rest, desk));
  return sorted({ ...left, desk: name, v });
}

/** @param {string} desk @param {Schema} schema @returns {Schema} */
function resolved(desk, schema) {
  const name = schema.$ref?.split("/").at(-1);
  return (name && shapes[desk].$defs?.[name]) || schema;
}

/** @param {Schema} given @param {unknown} value @param {string} at @param {string} desk @returns {unknown} */
function filled(given, value, at, desk) {
  const schema = resolved(desk, given);
  if (schema.anyOf) return ofAny(schema.anyOf, value, at, desk);
  if (schema.enum) return ofWords(schema.enum, value, at);
  switch (schema.type) {
    case "object":
      return ofObject(schema, value, at, desk);
    case "array":
      return ofList(schema, value, at, desk);
    case "string":
      return needs(typeof value === "string" && within(value.length, schema, "Length"), at, "a text", value);
    case "integer":
      return needs(Number.isSafeInteger(value) && inRange(value, schema), at, "a whole number", value);
    case "number":
      return needs(Number.isFinite(value) && inRange(value, schema), at, "a number", value);
    case "boolean":
      return needs(typeof value === "boolean", at, "true or false", value);
    case "null":
      return needs(value === null, at, "nothing", value);
    default:
      return value; // no type in the schema: any value
  }
}

/** The first alternative that fits; otherwise the error of the last one. @param {Schema[]} forms @param {unknown} value @param {string} at @param {string} desk */
function ofAny(forms, value, at, desk) {
  if (value === null && forms.some((form) => form.type === "null")) return null;
  const others = forms.filter((form) => form.type !== "null");
  for (const form of others.slice(0, -1))
    try {
      return filled(form, value, at, desk);
    } catch (problem) {
      if (!(problem instanceof Misfit)) throw problem;
    }
  return filled(/** @type {Schema} */ (others.at(-1)), value, at, desk);
}

/** @param {Schema} schema @param {unknown} value @param {string} at @param {string} desk */
function ofObject({ properties, required = [], additionalProperties }, value, at, desk) {
  if (!isObject(value)) return needs(false, at, "an object", value);
  /** @type {Record<string, unknown>} */
  const out = {};
  for (const [key, item] of Object.entries(value)) {
    if (properties && Object.hasOwn(properties, key)) continue;
    if (additionalProperties) out[key] = filled(additionalProperties, item, `${at}.${key}`, desk);
    else throw new Unknown(`${placed(at)} has “${short(key)}”, which is not known here.`);
  }
  for (const [key, schema] of Object.entries(properties ?? {})) {
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    if (item !== undefined) out[key] = filled(schema, item, `${at}.${key}`, desk);
    else if (required.includes(key)) throw new Misfit(`${placed(at)} has no “${key}”.`);
    else out[key] = filled(schema, schema.default, `${at}.${key}`, desk);
  }
  return out;
}

/** @param {Schema} schema @param {unknown} value @param {string} at @param {string} desk */
function ofList(schema, value, at, desk) {
  if (!Array.isArray(value) || !within(value.length, schema, "Items"))
    return needs(false, at, schema.minItems ? `a list of ${schema.minItems}` : "a list", value);
  return value.map((item, i) => filled(itemOf(schema, i), item, `${at}[${i}]`, desk));
}

/** @param {Schema} schema @param {number} i @returns {Schema} */
function itemOf({ prefixItems, items }, i) {
  return prefixItems?.[i] ?? (items || {});
}

/** @param {number} size @param {Schema} schema @param {"Items" | "Length"} what */
function within(size, schema, what) {
  return size >= (schema[`min${what}`] ?? 0) && size <= (schema[`max${what}`] ?? Number.POSITIVE_INFINITY);
}

/** @param {unknown} value @param {Schema} schema */
function inRange(value, { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }) {
  const number = /** @type {number} */ (value);
  return number >= minimum && number <= maximum;
}

/** @param {boolean} fits @param {string} at @param {string} what @param {unknown} value */
function needs(fits, at, what, value) {
  if (!fits) throw new Misfit(`${placed(at)} should be ${what}, not ${shown(value)}.`);
  return value;
}

/** @param {unknown[]} words @param {unknown} value @param {string} at */
function ofWords(words, value, at) {
  if (words.includes(value)) return value;
  const Kind = typeof value === "string" ? Unknown : Misfit;
  throw new Kind(`${placed(at)} should be one of ${words.join(", ")}, not ${shown(value)}.`);
}

/** @param {string} at ".clues[2].guess" @returns {string} */
function placed(at) {
  return at ? `“${at.slice(1)}”` : "The position";
}

/** @param {unknown} value */
function shown(value) {
  return value === undefined ? "left out" : short(JSON.stringify(value) ?? String(value));
}

/** @param {string} text */
function short(text) {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** @param {Schema} given @param {unknown} value @param {string} desk @returns {unknown} */
function without(given, value, desk) {
  const schema = resolved(desk, given);
  if (schema.anyOf) {
    const form = schema.anyOf.find((one) => one.type !== "null");
    return value === null || !form ? value : without(form, value, desk);
  }
  if (Array.isArray(value)) return value.map((item, i) => without(itemOf(schema, i), item, desk));
  if (!isObject(value)) return value;
  /** @type {Record<string, unknown>} */
  const out = {};
  for (const key of Object.keys(value).sort()) {
    const field = schema.properties?.[key] ?? (schema.additionalProperties || {});
    const left = without(field, value[key], desk);
    if (left === undefined) continue;
    if (!("default" in field) || !alike(left, without(field, field.default, desk))) out[key] = left;
  }
  return out;
}

/** Whether two values without defaults have the same text. @param {unknown} a @param {unknown} b */
function alike(a, b) {
  return a === b || (isObject(a) || Array.isArray(a) ? JSON.stringify(a) === JSON.stringify(b) : false);
}

/** @param {Record<string, unknown>} value */
function sorted(value) {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** @param {unknown} x @returns {x is Record<string, unknown>} */
function isObject(x) {
  return x !== null && typeof x === "object" && !Array.isArray(x);
}
