import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as z from 'zod';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';

/** The official schema of ACP version 1: its definitions by name, such as `SessionNotification`. */
const file = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.json');
// Zod cannot read these two; with them the schema keeps words free that an elicitation has for its variants.
const { anyOf: _messages, ...SCHEMA }: z.core.JSONSchema.JSONSchema = JSON.parse(
  readFileSync(file, 'utf8'),
  (key, value) => (key === 'not' || key === 'unevaluatedProperties' ? undefined : value),
);
const DEFINITIONS: WireObject = definitionsOf(SCHEMA);

/** A message that our client sent; `method` is the method that it answers when it is a response. */
export interface SentMessage {
  readonly method: string;
  readonly message: WireObject;
}

const compiled = new Map<string, z.ZodType>();

/** The official schema of one definition as zod reads it. */
export function officialSchema(name: string): z.ZodType {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const made = z.fromJSONSchema({ ...SCHEMA, $ref: `#/$defs/${name}` });
  compiled.set(name, made);
  return made;
}

/** What the official schema has against a message of ours: a shape that it refuses, or a field that it does not know. */
export function problemsOfSent({ method, message }: SentMessage): readonly string[] {
  if (isWireObject(message.error)) return problemsOf('Error', message.error);
  // The one thing that we send against the schema, to one version of one agent (acp-02c-absent-string).
  if (typeof message.error === 'string') return [];
  const [suffixes, body] =
    message.method === undefined
      ? (['Response', message.result ?? null] as const)
      : message.id === undefined
        ? (['Notification', message.params ?? null] as const)
        : (['Request', message.params ?? null] as const);
  const name = Object.keys(DEFINITIONS).find((one) => {
    const definition = DEFINITIONS[one];
    return one.endsWith(suffixes) && isWireObject(definition) && definition['x-method'] === method;
  });
  if (name === undefined) return [`${method}: no ${suffixes} of the official schema`];
  // The answer to a write may be null (file-system.mdx); the schema's definition is of the object.
  return body === null && method === 'fs/write_text_file' ? [] : problemsOf(name, body);
}

function problemsOf(name: string, body: Json): readonly string[] {
  const result = officialSchema(name).safeParse(body);
  const wrong = result.success ? [] : [`${name}: ${z.prettifyError(result.error)}: ${JSON.stringify(body)}`];
  const definition = DEFINITIONS[name];
  const known = isWireObject(definition) ? fieldsOf(definition) : [];
  const strange = isWireObject(body) ? Object.keys(body).filter((key) => !known.includes(key)) : [];
  return [...wrong, ...strange.map((key) => `${name}: no field "${key}"`)];
}

/** The fields of a definition, those of its parts included. */
function fieldsOf(definition: WireObject): readonly string[] {
  const own = isWireObject(definition.properties) ? Object.keys(definition.properties) : [];
  return [...own, ...partsOf(definition).flatMap(fieldsOf)];
}

function partsOf(definition: WireObject): readonly WireObject[] {
  const reference = referred(definition);
  return [
    ...(reference === null ? [] : [reference]),
    ...[definition.allOf, definition.anyOf, definition.oneOf].flatMap((list) =>
      Array.isArray(list) ? list.filter(isWireObject) : [],
    ),
  ];
}

/**
 * Instances of a definition: for each variant of its unions the smallest one and the one with every field, and one more
 * for each variant of each field.
 */
export function instancesOf(name: string): readonly Json[] {
  const definition = DEFINITIONS[name];
  if (!isWireObject(definition)) throw new Error(`the official schema has no ${name}`);
  return distinct(instances(definition, 0));
}

/** Every string of an instance that the schema leaves open. */
export const ANY_TEXT = 'text';

/** Deeper than this a field has its first variant only. */
const DEPTH = 6;

function instances(part: WireObject, depth: number): readonly Json[] {
  const reference = referred(part);
  if (reference !== null) return instances(reference, depth);
  if (part.const !== undefined) return [part.const];
  if (Array.isArray(part.enum)) return part.enum;
  const union = [part.oneOf, part.anyOf].find((list) => Array.isArray(list));
  const variants = Array.isArray(union) ? union.filter(isWireObject) : [];
  const base = Array.isArray(part.allOf) ? part.allOf.filter(isWireObject) : [];
  if (variants.length > 0) {
    const rest = withoutUnion(part);
    return variants.flatMap((variant) => joined([rest, variant], depth));
  }
  if (base.length > 0) return joined([withoutAll(part), ...base], depth);
  const types = Array.isArray(part.type) ? part.type : [part.type ?? null];
  return types.flatMap((type) => ofType(type, part, depth));
}

/** Instances that are all of these parts at once: objects are put together, anything else is the last part's. */
function joined(parts: readonly WireObject[], depth: number): readonly Json[] {
  const filled = parts.filter((part) => Object.keys(part).some((key) => !IDLE.has(key)));
  const each = filled.map((part) => instances(part, depth));
  const objects = each.filter((list) => list.every(isWireObject));
  if (objects.length < each.length) return each.at(-1) ?? [];
  const longest = Math.max(1, ...objects.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) =>
    Object.assign({}, ...objects.map((list) => list[Math.min(index, list.length - 1)] ?? {})),
  );
}

/** Keywords that say nothing of the shape. */
const IDLE = new Set(['description', 'title', 'discriminator', 'default', 'x-side', 'x-method']);

function ofType(type: Json, part: WireObject, depth: number): readonly Json[] {
  switch (type) {
    case 'object':
      return objects(part, depth);
    case 'array': {
      const items = isWireObject(part.items) ? instances(part.items, depth + 1) : [];
      return [items.length === 0 ? [] : items.slice(0, 1), items];
    }
    case 'string':
      return [ANY_TEXT];
    case 'integer':
      return [typeof part.minimum === 'number' ? Math.max(1, part.minimum) : 1];
    case 'number':
      return [0.5];
    case 'boolean':
      return [true, false];
    case 'null':
      return [null];
    default:
      return [{ any: [1, 'thing'] }];
  }
}

function objects(part: WireObject, depth: number): readonly WireObject[] {
  const properties = isWireObject(part.properties) ? Object.entries(part.properties) : [];
  const required: readonly Json[] = Array.isArray(part.required) ? part.required : [];
  const fields = properties.map(([key, value]) => {
    const values = isWireObject(value) ? instances(value, depth + 1) : [null];
    return { key, values: depth < DEPTH ? values : values.slice(0, 1), isRequired: required.includes(key) };
  });
  const smallest = fromFields(fields.filter(({ isRequired }) => isRequired));
  const whole = fromFields(fields);
  const more = fields.flatMap(({ key, values }) => values.slice(1).map((value) => ({ ...whole, [key]: value })));
  return [smallest, whole, ...more];
}

function fromFields(fields: readonly { readonly key: string; readonly values: readonly Json[] }[]): WireObject {
  return Object.fromEntries(fields.map(({ key, values }): [string, Json] => [key, values[0] ?? null]));
}

function referred(part: WireObject): WireObject | null {
  if (typeof part.$ref !== 'string') return null;
  const definition = DEFINITIONS[part.$ref.replace('#/$defs/', '')];
  return isWireObject(definition) ? definition : null;
}

function withoutUnion({ oneOf: _one, anyOf: _any, ...rest }: WireObject): WireObject {
  return rest;
}

function withoutAll({ allOf: _all, ...rest }: WireObject): WireObject {
  return rest;
}

function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function definitionsOf(whole: unknown): WireObject {
  if (!isWireObject(whole) || !isWireObject(whole.$defs)) throw new Error('the official schema has no definitions');
  return whole.$defs;
}
