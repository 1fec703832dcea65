#!/usr/bin/env node
// An ACP agent as a process of its own, without any mode: it writes into its folder in either role, and tells what it saw.
import fs from 'node:fs';
import readline from 'node:readline';

const send = (message) => fs.writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words) =>
  send({
    method: 'session/update',
    params: {
      sessionId: 's1',
      update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } },
    },
  });
let folder = '';

function review(prompt) {
  const seen = {
    folder,
    cwd: process.cwd(),
    files: fs.readdirSync(folder).sort(),
    isCopy: prompt.includes('is a copy'),
  };
  const before = fs.readFileSync(`${folder}/work.txt`, 'utf8');
  fs.writeFileSync(`${folder}/work.txt`, 'rewritten by the reviewer\n');
  fs.writeFileSync(`${folder}/reviewer.txt`, 'mine\n');
  const findings = [
    {
      severity: 'nit',
      file: `${folder}/work.txt`,
      line: 1,
      title: 'Seen',
      detail: JSON.stringify({ ...seen, before }),
    },
  ];
  const approved = before.includes('2');
  const verdict = { score: approved ? 9 : 5, approved, summary: 's', findings, previous: [], suggestions: [] };
  text(`\`\`\`json\n${JSON.stringify(verdict)}\n\`\`\`\n`);
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    send({ id, result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: 'writer', version: '1' } } });
  } else if (method === 'session/new') {
    folder = params.cwd;
    send({ id, result: { sessionId: 's1' } });
  } else if (method === 'session/prompt') {
    const prompt = params.prompt.map((block) => block.text ?? '').join('\n');
    if (prompt.includes('You are an expert reviewer')) review(prompt);
    else {
      const round = /round (\d)/.exec(prompt)?.[1];
      fs.writeFileSync(`${folder}/work.txt`, `round ${round}\n`);
      text('Done.');
    }
    send({ id, result: { stopReason: 'end_turn' } });
  } else if (id !== undefined) send({ id, result: {} });
});
