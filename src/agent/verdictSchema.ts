/** The part of JSON Schema that the verdict needs. */
export type Shape =
  | { readonly type: 'string'; readonly description?: string; readonly enum?: readonly string[] }
  | {
      readonly type: 'number';
      readonly minimum: number;
      readonly maximum: number;
      readonly examples: readonly number[];
    }
  | { readonly type: 'integer'; readonly minimum: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'array'; readonly items: Shape }
  | {
      readonly type: 'object';
      readonly properties: Readonly<Record<string, Shape>>;
      readonly required: readonly string[];
    };

/** What the fields of the verdict hold, in the language of the prompt. */
export interface VerdictWords {
  readonly summary: string;
  readonly id: string;
  readonly file: string;
  readonly title: string;
  readonly detail: string;
  readonly suggestion: string;
  readonly previousId: string;
  readonly suggestions: string;
}

/** The verdict's shape, the one place that says it: `loop/review.ts` reads it, prompts show it, Claude Code is held to it. */
export function verdictSchema(words: VerdictWords): Shape {
  const text = (description: string): Shape => ({ type: 'string', description });
  return {
    type: 'object',
    properties: {
      score: { type: 'number', minimum: 1, maximum: 10, examples: [7.5] },
      approved: { type: 'boolean' },
      summary: text(words.summary),
      findings: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: text(words.id),
            severity: { type: 'string', enum: ['blocker', 'major', 'minor', 'nit'] },
            file: text(words.file),
            line: { type: 'integer', minimum: 1 },
            title: text(words.title),
            detail: text(words.detail),
            suggestion: text(words.suggestion),
          },
          required: ['severity', 'title', 'detail'],
        },
      },
      previous: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            id: text(words.previousId),
            status: { type: 'string', enum: ['fixed', 'open', 'withdrawn'] },
          },
          required: ['id', 'status'],
        },
      },
      suggestions: { type: 'array', items: text(words.suggestions) },
    },
    required: ['score', 'approved', 'summary', 'findings', 'previous', 'suggestions'],
  };
}

/** An instance of the shape to be shown: texts say what they hold. */
export function exampleOf(shape: Shape): unknown {
  switch (shape.type) {
    case 'string':
      return shape.enum?.join(' | ') ?? shape.description ?? '';
    case 'number':
      return shape.examples[0];
    case 'integer':
      return shape.minimum;
    case 'boolean':
      return false;
    case 'array':
      return [exampleOf(shape.items)];
    case 'object':
      return Object.fromEntries(Object.entries(shape.properties).map(([name, of]) => [name, exampleOf(of)]));
    default:
      return shape satisfies never;
  }
}

/** The English of the verdict's fields. */
export const VERDICT_WORDS: VerdictWords = {
  summary: 'one sentence',
  id: 'only for a finding that you report again',
  file: 'path relative to the folder (leave out if none)',
  title: 'the problem in one line',
  detail: 'what goes wrong, when, and why',
  suggestion: 'the concrete fix (leave out if none)',
  previousId: 'F1, the id of an earlier finding',
  suggestions: 'ideas that need no change now',
};
