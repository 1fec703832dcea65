#!/usr/bin/env node
// An ACP agent as a process of its own that has a form filled in, and waits for it. As a reviewer it only comes up.
import fs from 'node:fs';
import readline from 'node:readline';

const send = (message) => fs.writeSync(1, `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name of the release', description: 'As it stands in the changelog.', minLength: 3 },
    channel: {
      type: 'string',
      title: 'Channel',
      oneOf: [
        { const: 'stable', title: 'Stable' },
        { const: 'preview', title: 'Preview', description: 'For those who want it early.' },
      ],
      default: 'stable',
    },
    share: {
      type: 'integer',
      title: 'Share of users',
      description: 'In percent.',
      minimum: 1,
      maximum: 100,
      default: 10,
    },
    targets: {
      type: 'array',
      title: 'Targets',
      items: { enum: ['linux', 'darwin', 'win32'] },
      minItems: 1,
      default: ['linux'],
    },
    notify: { type: 'boolean', title: 'Tell everyone', default: true },
  },
  required: ['name', 'channel'],
};

let prompt = null;
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize')
    send({ id, result: { protocolVersion: 1, agentInfo: { name: 'releaser', version: '2.1' } } });
  else if (method === 'session/new') send({ id, result: { sessionId: 's1' } });
  else if (method === 'session/cancel') send({ id: prompt, result: { stopReason: 'cancelled' } });
  else if (method === 'session/prompt') {
    prompt = id;
    const params = {
      sessionId: 's1',
      mode: 'form',
      message: 'What is to be **released**, and for whom?',
      requestedSchema,
    };
    send({ id: 'form', method: 'elicitation/create', params });
  } else if (method !== undefined && id !== undefined) send({ id, result: {} });
});
