/** The owner of an agent, for the tests that kill it: starts one that ends by nothing but SIGKILL, and says who is who. */
import fs from 'node:fs';
import { childEnv } from '../../src/transport/childEnv.ts';
import { createProcessRecords } from '../../src/workspace/orphans.ts';

const [stateFolder = '', cwd = ''] = process.argv.slice(2);
// Like Claude Code's commands: in a session of its own, where a signal to the agent's group does not reach.
const command = `process.on('SIGTERM', () => {}); setInterval(() => {}, 60000); console.log(process.pid)`;
const agent = `
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 60000);
  const options = { detached: true, stdio: ['ignore', 'inherit', 'inherit'] };
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(command)}], options);
`;
const records = createProcessRecords(stateFolder);
const child = records.spawn('Claude Code', {
  command: process.execPath,
  args: ['-e', agent],
  cwd,
  env: childEnv(process.env),
});
child.stdout.on('data', async (bytes: Buffer) => {
  await records.settled();
  fs.writeSync(1, `${JSON.stringify({ agent: child.pid, command: Number(bytes.toString('utf8')) })}\n`);
});
