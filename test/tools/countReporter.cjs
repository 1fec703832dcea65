// Mocha's spec reporter that also adds its counts to the file in TEST_COUNT_FILE, one JSON line a run.
const fs = require('node:fs');
const Mocha = require('mocha');

module.exports = class CountReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes: passed, failures: failed, pending } = this.stats;
      const file = process.env.TEST_COUNT_FILE;
      if (file) fs.appendFileSync(file, `${JSON.stringify({ passed, failed, pending })}\n`);
    });
  }
};
