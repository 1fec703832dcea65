// An ACP agent as a process of its own that runs commands through its client: what it plays in a turn is the prompt.
import fs from 'node:fs';

let next = 0;
const waiting = new Map();
const send = (message) => fs.writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (update) => send({ method: 'session/update', params: { sessionId: 's1', update } });
const text = (words) => say({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });
/** A request to the client; resolves with its result, or with `{ error }`. */
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `a${++next}`;
    waiting.set(id, resolve);
    send({ id, method, params: { sessionId: 's1', ...params } });
  });
const node = (script) => ({ command: process.execPath, args: ['-e', script] });
const server = node("console.log('listening'); setInterval(() => {}, 1000)");

const PLAYS = {
  /** A command in a card of its own, from the question to the release. */
  async card() {
    const command = [process.execPath, '--version'];
    const call = {
      toolCallId: 'c1',
      title: command.join(' '),
      kind: 'execute',
      rawInput: { command: command.join(' ') },
    };
    say({ sessionUpdate: 'tool_call', ...call, status: 'pending' });
    const options = [
      { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
      { optionId: 'no', name: 'Reject', kind: 'reject_once' },
    ];
    const { outcome } = await ask('session/request_permission', { toolCall: call, options });
    if (outcome.optionId !== 'yes') return text('refused');
    const { terminalId } = await ask('terminal/create', { command: command[0], args: command.slice(1) });
    const content = [{ type: 'terminal', terminalId }];
    say({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'in_progress', content });
    const exit = await ask('terminal/wait_for_exit', { terminalId });
    const { output } = await ask('terminal/output', { terminalId });
    await ask('terminal/release', { terminalId });
    say({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed' });
    const gone = await ask('terminal/output', { terminalId });
    text(JSON.stringify({ exit, output, gone }));
  },
  /** A server that runs on while a file is written, and after the turn. */
  async server() {
    const { terminalId } = await ask('terminal/create', server);
    const written = await ask('fs/write_text_file', { path: `${process.cwd()}/made.txt`, content: 'made\n' });
    text(JSON.stringify({ terminalId, written }));
  },
  /** A server, and then nothing: the turn is to be stopped. */
  async wait() {
    const { terminalId } = await ask('terminal/create', server);
    const exit = await ask('terminal/wait_for_exit', { terminalId });
    text(JSON.stringify(exit));
  },
  /** A server, and the death of the agent. */
  async death() {
    await ask('terminal/create', server);
    process.exit(1);
  },
  /** What is not allowed. */
  async refused() {
    const answers = [
      await ask('terminal/create', { command: 'ls', cwd: '/' }),
      await ask('terminal/create', { command: 'ls -l && rm x' }),
      await ask('terminal/create', { command: 'no-such-program-of-anyone' }),
      await ask('terminal/create', { args: [] }),
      await ask('terminal/output', { terminalId: 'none' }),
    ];
    text(JSON.stringify(answers.map(({ error }) => error)));
  },
};

let capabilities = {};
let prompt = null;
async function onMessage({ id, method, params, result, error }) {
  if (method === undefined) {
    const resolve = waiting.get(id);
    waiting.delete(id);
    return resolve?.(error === undefined ? result : { error });
  }
  if (method === 'initialize') {
    capabilities = params.clientCapabilities;
    send({ id, result: { protocolVersion: 1, agentInfo: { name: 'terminal-agent', version: '1' } } });
  }
  if (method === 'session/new') send({ id, result: { sessionId: 's1' } });
  if (method === 'session/cancel') send({ id: prompt, result: { stopReason: 'cancelled' } });
  if (method === 'session/prompt') {
    prompt = id;
    const play = PLAYS[params.prompt[0].text];
    if (play === undefined) text(JSON.stringify(capabilities));
    else await play();
    send({ id, result: { stopReason: 'end_turn' } });
  }
}

let rest = '';
process.stdin.on('data', (bytes) => {
  const lines = (rest + bytes).split('\n');
  rest = lines.pop();
  for (const line of lines) void onMessage(JSON.parse(line));
});
process.stdin.on('end', () => process.exit(0));
