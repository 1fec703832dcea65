// An ACP agent as a process of its own that goes wrong in the way that its argument names, in the middle of a turn.
import fs from 'node:fs';

const fault = process.argv[2];
const send = (message) => fs.writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (text) =>
  send({
    method: 'session/update',
    params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
  });

const FAULTS = {
  exit0: () => process.exit(0),
  exit1: () => {
    fs.writeSync(2, 'a fault of the agent\n');
    process.exit(1);
  },
  kill: () => process.kill(process.pid, 'SIGKILL'),
  hang: () => process.on('SIGTERM', () => undefined),
  halfLine: () => {
    fs.writeSync(1, '{"jsonrpc":"2.0","method":"session/upd');
    process.exit(0);
  },
  noise: (id) => {
    fs.writeSync(1, 'Loaded cached credentials.\n\x1b[2K\n[]\n42\n{"level":"info"}\n');
    send({ id, result: { stopReason: 'end_turn' } });
  },
  bigLine: (id) => {
    say('x'.repeat(5 * 1024 * 1024));
    send({ id, result: { stopReason: 'end_turn' } });
  },
  wrongIds: (id) => {
    send({ id: 99, result: {} });
    send({ id: String(id), result: { stopReason: 'refusal' } });
    send({ id: null, error: { code: -32700, message: 'Parse error' } });
    send({ id: null, method: 'session/request_permission', params: {} });
    send({ id, result: { stopReason: 'end_turn' } });
    send({ id, result: { stopReason: 'refusal' } });
  },
  closedInput: () => {
    process.stdin.destroy();
    process.stdin.on('close', () => {
      // libuv leaves the first three descriptors open.
      fs.closeSync(0);
      say('deaf');
    });
    setInterval(() => undefined, 1000);
  },
  burst: (id) => {
    for (let i = 0; i < 300; i++) say(`${i} `);
    send({ id, result: { stopReason: 'end_turn' } });
    process.exit(0);
  },
};

function onMessage({ id, method }) {
  if (method === 'initialize')
    send({ id, result: { protocolVersion: 1, agentInfo: { name: 'faulty', version: '1' } } });
  if (method === 'session/new') {
    send({ id, result: { sessionId: 's1', modes: { currentModeId: 'default', availableModes: [] } } });
  }
  if (method === 'session/prompt') {
    say('before the fault');
    FAULTS[fault](id);
  }
}

let rest = '';
process.stdin.on('data', (bytes) => {
  const lines = (rest + bytes).split('\n');
  rest = lines.pop();
  for (const line of lines) onMessage(JSON.parse(line));
});
process.stdin.on('error', () => undefined);
