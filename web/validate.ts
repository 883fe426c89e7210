/**
 * Structural validation and defaults of positions from a link, storage or a file, by JSON Schemas
 * generated from the Python package's structs (types/shapes.js). Rules of a game are checked by its
 * desk.
 */

import { shapes } from "./types/shapes.js";

export type Schema = {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema | false;
  prefixItems?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | false;
  default?: unknown;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
};

/** A value that does not match the schema; the message names the place. */
export class Misfit extends Error {}

/** An unknown field or value, possibly of a newer version. */
export class Unknown extends Misfit {}

/**
 * The position with every default filled in: `complete("code", {}).rules.pegs === 4`. Throws a
 * `Misfit` that names the first mismatch.
 * @returns any: of the schema's type, which the desk declares
 */
export function complete(desk: string, value: unknown): any {
  return completeValue(resolved(desk, shapes[desk]), value, "", desk);
}

/** The position without defaults, keys sorted, as in its canonical text. */
export function lean(desk: string, value: unknown): unknown {
  const { desk: name = desk, v = 1, ...rest } = value as Record<string, unknown>;
  const left = withoutDefaults(resolved(desk, shapes[desk]), rest, desk) as Record<string, unknown>;
  return sorted({ ...left, desk: name, v });
}

function resolved(desk: string, schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name && shapes[desk].$defs?.[name]) || schema;
}

function completeValue(given: Schema, value: unknown, at: string, desk: string): unknown {
  const schema = resolved(desk, given);
  if (schema.anyOf) return checkAny(schema.anyOf, value, at, desk);
  if (schema.enum) return checkEnum(schema.enum, value, at);
  switch (schema.type) {
    case "object":
      return completeObject(schema, value, at, desk);
    case "array":
      return completeList(schema, value, at, desk);
    case "string":
      return check(
        typeof value === "string" && hasLength(value.length, schema, "Length"),
        at,
        "a text",
        value,
      );
    case "integer":
      return check(Number.isSafeInteger(value) && inRange(value, schema), at, "a whole number", value);
    case "number":
      return check(Number.isFinite(value) && inRange(value, schema), at, "a number", value);
    case "boolean":
      return check(typeof value === "boolean", at, "true or false", value);
    case "null":
      return check(value === null, at, "nothing", value);
    default:
      return value; // no type in the schema: any value
  }
}

/** The first alternative that fits; otherwise the error of the last one. */
function checkAny(forms: Schema[], value: unknown, at: string, desk: string) {
  if (value === null && forms.some((form) => form.type === "null")) return null;
  const others = forms.filter((form) => form.type !== "null");
  for (const form of others.slice(0, -1))
    try {
      return completeValue(form, value, at, desk);
    } catch (problem) {
      if (!(problem instanceof Misfit)) throw problem;
    }
  return completeValue(others.at(-1) as Schema, value, at, desk);
}

function completeObject(
  { properties, required = [], additionalProperties }: Schema,
  value: unknown,
  at: string,
  desk: string,
) {
  if (!isObject(value)) return check(false, at, "an object", value);
  const out: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (properties && Object.hasOwn(properties, key)) continue;
    if (additionalProperties) out[key] = completeValue(additionalProperties, item, `${at}.${key}`, desk);
    else throw new Unknown(`${placeText(at)} has “${shortened(key)}”, which is not known here.`);
  }
  for (const [key, schema] of Object.entries(properties ?? {})) {
    const item = Object.hasOwn(value, key) ? value[key] : undefined;
    if (item !== undefined) out[key] = completeValue(schema, item, `${at}.${key}`, desk);
    else if (required.includes(key)) throw new Misfit(`${placeText(at)} has no “${key}”.`);
    else out[key] = completeValue(schema, schema.default, `${at}.${key}`, desk);
  }
  return out;
}

function completeList(schema: Schema, value: unknown, at: string, desk: string) {
  if (!Array.isArray(value) || !hasLength(value.length, schema, "Items"))
    return check(false, at, schema.minItems ? `a list of ${schema.minItems}` : "a list", value);
  return value.map((item, i) => completeValue(itemOf(schema, i), item, `${at}[${i}]`, desk));
}

function itemOf({ prefixItems, items }: Schema, i: number): Schema {
  return prefixItems?.[i] ?? (items || {});
}

/** Whether a list or a text has a permitted length. */
function hasLength(size: number, schema: Schema, what: "Items" | "Length") {
  return size >= (schema[`min${what}`] ?? 0) && size <= (schema[`max${what}`] ?? Number.POSITIVE_INFINITY);
}

function inRange(
  value: unknown,
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema,
) {
  const number = value as number;
  return number >= minimum && number <= maximum;
}

function check(fits: boolean, at: string, what: string, value: unknown) {
  if (!fits) throw new Misfit(`${placeText(at)} should be ${what}, not ${valueText(value)}.`);
  return value;
}

function checkEnum(allowed: unknown[], value: unknown, at: string) {
  if (allowed.includes(value)) return value;
  const Kind = typeof value === "string" ? Unknown : Misfit;
  throw new Kind(`${placeText(at)} should be one of ${allowed.join(", ")}, not ${valueText(value)}.`);
}

/** @param at ".clues[2].guess" */
function placeText(at: string): string {
  return at ? `“${at.slice(1)}”` : "The position";
}

function valueText(value: unknown) {
  return value === undefined ? "left out" : shortened(JSON.stringify(value) ?? String(value));
}

function shortened(text: string) {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function withoutDefaults(given: Schema, value: unknown, desk: string): unknown {
  const schema = resolved(desk, given);
  if (schema.anyOf) {
    const form = schema.anyOf.find((one) => one.type !== "null");
    return value === null || !form ? value : withoutDefaults(form, value, desk);
  }
  if (Array.isArray(value)) return value.map((item, i) => withoutDefaults(itemOf(schema, i), item, desk));
  if (!isObject(value)) return value;
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(value).sort()) {
    const field = schema.properties?.[key] ?? (schema.additionalProperties || {});
    const left = withoutDefaults(field, value[key], desk);
    if (left === undefined) continue;
    if (!("default" in field) || !alike(left, withoutDefaults(field, field.default, desk))) out[key] = left;
  }
  return out;
}

/** Whether two values without defaults have the same text. */
function alike(a: unknown, b: unknown) {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}

function sorted(value: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isObject(x: unknown): x is Record<string, unknown> {
  return x !== null && typeof x === "object" && !Array.isArray(x);
}
