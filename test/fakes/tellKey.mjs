/** A `claude` that says in its one turn, in a tool's output and on stderr what it holds in PLANTED_KEY. */
import { createInterface } from 'node:readline';

const key = process.env.PLANTED_KEY ?? 'nothing';
const print = (object) => process.stdout.write(`${JSON.stringify(object)}\n`);

createInterface({ input: process.stdin }).on('line', (text) => {
  const line = JSON.parse(text);
  if (line.type === 'control_request') {
    const response = { subtype: 'success', request_id: line.request_id, response: {} };
    print({ type: 'control_response', response });
    return;
  }
  if (line.type !== 'user') return;
  process.stderr.write(`debug: ${key}\n`);
  const tool = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: `echo ${key}` } };
  print({ type: 'assistant', message: { id: 'm1', model: 'm', content: [tool] } });
  const result = { type: 'tool_result', tool_use_id: 't1', content: key };
  print({ type: 'user', message: { role: 'user', content: [result] } });
  const said = `My key is ${key}. ${'x'.repeat(20_000)} ${key}`;
  print({ type: 'assistant', message: { id: 'm2', model: 'm', content: [{ type: 'text', text: said }] } });
  print({ type: 'result', subtype: 'success', is_error: false, session_id: 's', result: said });
});
