/** What a figure has to reach. */
export interface Goal {
  readonly is: '≥' | '≤' | '=';
  readonly number: number;
}

/** One measured figure of the quality plan. */
export interface Figure {
  /** Its id there, such as `A1`. */
  readonly id: string;
  /** What was measured, with its unit; unique within the id. */
  readonly name: string;
  readonly value: number;
  /** The same of the reference that was measured beside it; null for a count, which needs none. */
  readonly reference: number | null;
  /** As the goal is stated: of value and reference, whichever way round. Null for a count. */
  readonly ratio: number | null;
  /** For the ratio, for the value when there is none. */
  readonly goal: Goal;
}

/** One measurement that gives one or more figures. */
export interface Bench {
  /** Ids of its figures, so that a person can choose. */
  readonly ids: readonly string[];
  /** Builds its own reference and measures both in this one call. */
  measure(): Promise<readonly Figure[]>;
}

export function reached({ value, ratio, goal }: Figure): boolean {
  const measured = ratio ?? value;
  switch (goal.is) {
    case '≥':
      return measured >= goal.number;
    case '≤':
      return measured <= goal.number;
    case '=':
      return measured === goal.number;
    default:
      return goal.is satisfies never;
  }
}

/** One figure with what became of it in every run so far. */
export interface Row {
  readonly figure: Figure;
  /** Oldest first; more than one when the first missed its goal. */
  readonly runs: readonly boolean[];
}

/** A budget fails only when it fails in two runs of three: the machine is never quiet. */
export function fails({ runs }: Row): boolean {
  return runs.filter((passed) => !passed).length >= 2;
}

/** Measures, and once or twice more as long as a figure that missed its goal is not decided. */
export async function measureFairly(bench: Bench): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  for (let run = 1; run <= 3; run++) {
    for (const figure of await bench.measure()) {
      const key = `${figure.id} ${figure.name}`;
      const row = rows.get(key);
      rows.set(key, { figure, runs: [...(row?.runs ?? []), reached(figure)] });
    }
    const open = [...rows.values()].some(({ runs }) => {
      const missed = runs.filter((passed) => !passed).length;
      return missed === 1 && runs.length - missed < 2;
    });
    if (!open) break;
  }
  return [...rows.values()];
}

/** The rows as a table, a line each. */
export function table(rows: readonly Row[]): string {
  const head = ['id', 'figure', 'value', 'reference', 'ratio', 'goal', 'pass'];
  const lines = rows.map((row) => {
    const { id, name, value, reference, ratio, goal } = row.figure;
    const runs = row.runs.map((passed) => (passed ? 'yes' : 'no')).join(', ');
    return [id, name, digits(value), digits(reference), digits(ratio), `${goal.is} ${goal.number}`, runs];
  });
  const widths = head.map((title, column) => Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0)));
  return [head, ...lines]
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function digits(number: number | null): string {
  if (number === null) return '–';
  return Number.isInteger(number) ? String(number) : number.toFixed(2);
}
