// `npm run bench [-- ID …]`: measures the figures of the quality plan, prints a row each, and exits with 1 when one
// fails its goal in two runs of three.
import { installClis, skipsRealClis } from '../tools/installClis.ts';
import { COUNT_BENCHES } from './counts.ts';
import { DRAWING_BENCHES } from './drawing.ts';
import { type Bench, fails, measureFairly, type Row, table } from './figure.ts';
import { LOOP_BENCHES } from './loop.ts';
import { OVERHEAD_BENCHES, OVERHEAD_CLI_BENCHES } from './overhead.ts';
import { PAGE_BENCHES } from './page.ts';
import { SIZE_BENCHES } from './size.ts';
import { TRANSPORT_BENCHES } from './transport.ts';
import { WARM_BENCHES } from './warm.ts';

const REAL_CLI_BENCHES = [...LOOP_BENCHES, ...WARM_BENCHES, ...OVERHEAD_CLI_BENCHES];
const OTHER_BENCHES = [
  ...PAGE_BENCHES,
  ...SIZE_BENCHES,
  ...TRANSPORT_BENCHES,
  ...COUNT_BENCHES,
  ...OVERHEAD_BENCHES,
  ...DRAWING_BENCHES,
];

const asked = process.argv.slice(2);
const known = new Set([...REAL_CLI_BENCHES, ...OTHER_BENCHES].flatMap(({ ids }) => ids));
const unknown = asked.filter((id) => !known.has(id));
if (unknown.length > 0) {
  console.error(`Unknown figure: ${unknown.join(', ')}. Figures: ${[...known].join(', ')}`);
  process.exit(2);
}
const wanted = (benches: readonly Bench[]) =>
  benches.filter(({ ids }) => asked.length === 0 || ids.some((id) => asked.includes(id)));
const benches = [...wanted(OTHER_BENCHES)];
if (wanted(REAL_CLI_BENCHES).length > 0) {
  if (skipsRealClis()) console.log('CGLOOP_SKIP_REAL_CLIS=1: the figures of the real CLIs are left out.');
  else {
    await installClis(console.log);
    benches.push(...wanted(REAL_CLI_BENCHES));
  }
}

const rows: Row[] = [];
for (const bench of benches) rows.push(...(await measureFairly(bench)));
console.log(table(rows));
if (rows.some(fails)) process.exitCode = 1;
