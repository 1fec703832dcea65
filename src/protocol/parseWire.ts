import type * as z from 'zod';
import type { WireObject } from '../shared/wire.ts';

/** What one object of a wire turned out to be. `problem` says which field is wrong, for a log line. */
export type Parsed<T> =
  | { readonly type: 'known'; readonly value: T }
  /** Well formed, but of a kind that this version does not know; `variant` is the tag's own word. */
  | { readonly type: 'unknownVariant'; readonly variant: string }
  | { readonly type: 'invalid'; readonly problem: string };

/**
 * The one boundary between a wire and our types, and the only caller of `safeParse`.
 *
 * `schema` is a zod discriminated union of loose objects, or an object that holds one; `tag` is the path of the field
 * that tells its variants apart, such as `type` or `update.sessionUpdate` (null: there are no variants). One validation
 * a call; unknown fields are kept in `value`.
 */
export function parseWire<S extends z.ZodType>(schema: S, tag: string | null, raw: unknown): Parsed<z.output<S>> {
  const result = schema.safeParse(raw);
  if (result.success) return { type: 'known', value: result.data };
  const first = result.error.issues[0];
  if (tag !== null && first?.code === 'invalid_union' && first.path.join('.') === tag) {
    const variant = valueAt(raw, tag.split('.'));
    if (typeof variant === 'string') return { type: 'unknownVariant', variant };
  }
  return { type: 'invalid', problem: problemOf(result.error.issues) };
}

/**
 * Whether a value that came out of `JSON.parse` is an object, not an array or a primitive. Only for parsed JSON: the
 * values inside are taken to be JSON without a look.
 */
export function isWireObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(raw: unknown, path: readonly string[]): unknown {
  let value = raw;
  for (const key of path) value = isWireObject(value) ? value[key] : undefined;
  return value;
}

/** The issues as one line, such as `params.update.toolCallId: Invalid input: expected string, received undefined`. */
function problemOf(issues: readonly z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, 3).map((issue) => {
    const path = issue.path.map(String).join('.');
    return path === '' ? issue.message : `${path}: ${issue.message}`;
  });
  const rest = issues.length - shown.length;
  return rest > 0 ? `${shown.join('; ')}; and ${rest} more` : shown.join('; ');
}
