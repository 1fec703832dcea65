#!/usr/bin/env node
// An ACP agent as a process of its own, in either role. As the executor of round N it writes the N-th entry of ROUNDS_STORY: path
// in the folder → content, or null for a file that goes. As the reviewer it gives one more point each round, beginning with 5.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';

const story = JSON.parse(process.env.ROUNDS_STORY ?? '[]');
const send = (message) => fs.writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const say = (text) =>
  send({
    method: 'session/update',
    params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
  });
let folder = '';
let turns = 0;

function execute() {
  for (const [name, content] of Object.entries(story[turns - 1] ?? {})) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (content === null) fs.rmSync(file);
    else fs.writeFileSync(file, content);
  }
  say(`Round ${turns} is done.`);
}

function review() {
  const findings = [
    { severity: 'minor', file: 'middle.txt', line: 1, title: `Seen in round ${turns}`, detail: 'There is more to do.' },
    { severity: 'nit', title: `A matter of taste in round ${turns}`, detail: 'It could be nicer.' },
  ];
  const verdict = { score: 4 + turns, approved: false, summary: 'Not yet.', findings, previous: [], suggestions: [] };
  say(`\`\`\`json\n${JSON.stringify(verdict)}\n\`\`\`\n`);
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    send({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: 'rounds', version: '1' } } });
  } else if (method === 'session/new') {
    folder = params.cwd;
    send({ id, result: { sessionId: 's1' } });
  } else if (method === 'session/prompt') {
    turns += 1;
    const prompt = params.prompt.map((block) => block.text ?? '').join('\n');
    if (prompt.includes('You are an expert reviewer')) review();
    else execute();
    send({ id, result: { stopReason: 'end_turn' } });
  } else if (id !== undefined) send({ id, result: {} });
});
