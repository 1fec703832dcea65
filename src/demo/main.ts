import { runExecutor } from './executor.ts';
import type { Surroundings } from './peer.ts';
import { runReviewer } from './reviewer.ts';

const [role, ...args] = process.argv.slice(2);
const surroundings: Surroundings = {
  input: process.stdin,
  output: process.stdout,
  folder: process.cwd(),
  args,
  env: process.env,
  exit: (code) => process.exit(code),
};

// The peer is gone: there is nobody left to work for.
process.stdout.on('error', () => process.exit(0));

if (role === 'executor') runExecutor(surroundings);
else if (role === 'reviewer') runReviewer(surroundings);
else {
  process.stderr.write('Usage: demo-agents.cjs executor|reviewer\n');
  process.exitCode = 2;
}
