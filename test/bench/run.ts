// `npm run bench [-- ID …]`: measures the figures of the quality plan, prints a row each, and exits with 1 when one
// fails its goal in two runs of three.
import { installClis, skipsRealClis } from '../tools/installClis.ts';
import { fails, measureFairly, type Row, table } from './figure.ts';
import { LOOP_BENCHES } from './loop.ts';

const BENCHES = [...LOOP_BENCHES];

const asked = process.argv.slice(2);
const known = new Set(BENCHES.flatMap(({ ids }) => ids));
const unknown = asked.filter((id) => !known.has(id));
if (unknown.length > 0) {
  console.error(`Unknown figure: ${unknown.join(', ')}. Figures: ${[...known].join(', ')}`);
  process.exit(2);
}
if (skipsRealClis()) {
  console.log('CGLOOP_SKIP_REAL_CLIS=1: the figures of the real CLIs are left out.');
  process.exit(0);
}
await installClis(console.log);

const rows: Row[] = [];
for (const bench of BENCHES) {
  if (asked.length > 0 && !bench.ids.some((id) => asked.includes(id))) continue;
  rows.push(...(await measureFairly(bench)));
}
console.log(table(rows));
if (rows.some(fails)) process.exitCode = 1;
