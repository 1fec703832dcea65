/**
 * A scripted `claude` for faults: plain JavaScript, so that it starts at once. `CLAUDE_PEER_SCRIPT` is a JSON list of
 * steps, done one after the other; everything received is appended to `CLAUDE_PEER_LOG`, one JSON value a line, first
 * the arguments and the environment.
 *
 *   { "await": "initialize" | "user" | "answer" | "interrupt" | "end" }   the next such line; an interrupt is answered
 *   { "answer": {…} }          answers the last control request that was awaited
 *   { "send": {…} } { "raw": "…" } { "stderr": "…" } { "exit": 0 } { "kill": "SIGKILL" }
 *   { "ignoreTerm": true }     and lives on after the end of stdin
 *   { "unknownSession": true } ends as for a session that is not there, when it was to go on with one
 *   { "grandchild": true }     starts a process that ignores SIGTERM and holds stdout; its pid goes to the log
 */
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const log = (value) => {
  if (process.env.CLAUDE_PEER_LOG) appendFileSync(process.env.CLAUDE_PEER_LOG, `${JSON.stringify(value)}\n`);
};
const print = (text) => new Promise((resolve) => process.stdout.write(text, () => resolve()));

log({ argv: process.argv.slice(2), env: process.env });

const arrived = [];
let waiter = null;
const take = (line) => {
  arrived.push(line);
  waiter?.();
};
const input = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY });
input.on('line', (text) => {
  const line = JSON.parse(text);
  log(line);
  if (line.type === 'user') take({ kind: 'user' });
  else if (line.type === 'control_response') take({ kind: 'answer' });
  else take({ kind: line.request.subtype, id: line.request_id });
});
input.on('close', () => take({ kind: 'end' }));

const respond = (id, response) =>
  print(
    `${JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: id, response } })}\n`,
  );

async function next(kind) {
  for (;;) {
    const line = arrived.shift();
    if (line?.kind === kind) return line;
    if (line !== undefined) continue;
    await new Promise((resolve) => {
      waiter = resolve;
    });
    waiter = null;
  }
}

let asked = null;
for (const step of JSON.parse(process.env.CLAUDE_PEER_SCRIPT ?? '[]')) {
  if (step.await !== undefined) {
    const line = await next(step.await);
    if (line.id !== undefined) asked = line.id;
    if (step.await === 'interrupt') await respond(line.id);
  } else if (step.answer !== undefined) await respond(asked, step.answer);
  else if (step.send !== undefined) await print(`${JSON.stringify(step.send)}\n`);
  else if (step.raw !== undefined) await print(step.raw);
  else if (step.stderr !== undefined) await new Promise((resolve) => process.stderr.write(step.stderr, resolve));
  else if (step.exit !== undefined) process.exit(step.exit);
  else if (step.kill !== undefined) process.kill(process.pid, step.kill);
  else if (step.unknownSession) {
    if (!process.argv.includes('--resume')) continue;
    process.stderr.write('No conversation found with session ID: x\n');
    const result = { type: 'result', subtype: 'error_during_execution', is_error: true, num_turns: 0, session_id: 'x' };
    await print(`${JSON.stringify(result)}\n`);
    process.exit(1);
  } else if (step.ignoreTerm) {
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 60_000);
  } else if (step.grandchild) {
    const script = 'process.on("SIGTERM", () => {}); setInterval(() => {}, 60000); console.log("");';
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    log({ grandchild: child.pid });
  }
}
