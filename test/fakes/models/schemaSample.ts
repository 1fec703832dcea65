import * as z from 'zod';

const node = z.looseObject({
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  minItems: z.coerce.number().optional(),
  minimum: z.number().optional(),
});

const PREFERRED: readonly unknown[] = ['user', 'flash', 'simple', 'no', 'none', 'STOP'];
/** Gemini CLI's router wants 1 to 100 here and does not say so in its schema. */
const NUMBERS: Readonly<Record<string, number>> = { complexity_score: 10 };

/** A small value that satisfies a JSON schema (or Google's upper-case dialect of it). */
export function sampleOf(schema: unknown, name = ''): unknown {
  const parsed = node.safeParse(schema);
  if (!parsed.success) return 'ok';
  const it = parsed.data;
  if (it.const !== undefined) return it.const;
  if (it.enum) return it.enum.find((value) => PREFERRED.includes(value)) ?? it.enum[0];
  if (it.anyOf) return sampleOf(it.anyOf[0], name);
  const type = String([it.type].flat()[0] ?? '').toLowerCase();
  if (type === 'object' || it.properties) {
    return Object.fromEntries(Object.entries(it.properties ?? {}).map(([key, sub]) => [key, sampleOf(sub, key)]));
  }
  if (type === 'array') return Array.from({ length: it.minItems ?? 0 }, () => sampleOf(it.items, name));
  if (type === 'number' || type === 'integer') return NUMBERS[name] ?? it.minimum ?? 0;
  if (type === 'boolean') return false;
  return type === 'null' ? null : 'ok';
}
