// Mocha's spec reporter that also adds its counts to the file in TEST_COUNT_FILE, one JSON line a run, and that does
// not let a run hang: what is still open a while after the last test is named, and the run has failed.
const fs = require('node:fs');
const Mocha = require('mocha');

const GRACE = 20_000;

module.exports = class CountReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes: passed, failures: failed, pending } = this.stats;
      const file = process.env.TEST_COUNT_FILE;
      if (file) fs.appendFileSync(file, `${JSON.stringify({ passed, failed, pending })}\n`);
      setTimeout(() => {
        console.error(
          `Still open ${GRACE / 1000} s after the last test: ${process.getActiveResourcesInfo().join(', ')}`,
        );
        process.exit(1);
      }, GRACE).unref();
    });
  }
};
