/** A run's writer for the tests that kill it: appends for ever, and says the number of each event once it is written. */
import fs from 'node:fs';
import { BODY_LIMIT } from '../../src/session/bodies.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import { openLogFile } from '../../src/session/logFile.ts';
import { chunk, PRODUCT, RUN } from './events.ts';

const [directory = '', last = '0'] = process.argv.slice(2);
const file = await openLogFile({ directory, product: PRODUCT, onProblem: (message) => fs.writeSync(2, message) });
const log = createEventLog({ now: () => 0 });
log.subscribe((event) => file.append(event));
log.append({ type: 'run.started', run: RUN });
while (log.events.length < Number(last)) {
  const n = log.events.length;
  const { seq } = log.append(chunk(n % 7 === 0 ? `${n} `.repeat(BODY_LIMIT) : `chunk ${n}`));
  fs.writeSync(1, `${seq}\n`);
}
