// `node activation.cjs cpu BUNDLE`: microseconds of CPU to load a bundle, and to activate it where it is an extension.
// `node activation.cjs calls BUNDLE`: what its `activate` calls that is no registration, as JSON.
const { context, watchCalls } = require('./vscodeStub.cjs');

const [, , what, bundle] = process.argv;
if (what === 'calls') {
  const { activate } = require(bundle);
  const calls = watchCalls();
  activate(context);
  const done = JSON.stringify(calls);
  process.stdout.write(`${done}\n`);
} else {
  const before = process.cpuUsage();
  const { activate } = require(bundle);
  activate?.(context);
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${user + system}\n`);
}
