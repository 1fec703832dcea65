// `node wireReader.cjs WAY COUNT FILE …`: reads the lines of the files from a child process, one after the other, and
// prints the CPU time from the first message to the last, in microseconds.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Readable, Writable } from 'node:stream';
import { client, ndJsonStream } from '@agentclientprotocol/sdk';
import { ACP, sessionUpdateParams, UPDATE_TAG } from '../../src/protocol/acp.ts';
import { parseWire } from '../../src/protocol/parseWire.ts';
import { spawnChild } from '../../src/transport/childProcess.ts';
import { createConnection } from '../../src/transport/connection.ts';

const [way, wanted, ...files] = process.argv.slice(2);
let count = 0;
let begin: NodeJS.CpuUsage | null = null;

function took(isWhole: boolean): void {
  if (!isWhole) throw new Error('A message arrived that is not what was sent.');
  begin ??= process.cpuUsage();
  count++;
  if (count < Number(wanted)) return;
  const { user, system } = process.cpuUsage(begin);
  process.stdout.write(`${user + system}\n`);
}

const cat = () => spawn('cat', files, { stdio: ['pipe', 'pipe', 'inherit'] });
switch (way) {
  case 'ours': {
    const env = { PATH: process.env.PATH ?? '' };
    createConnection(spawnChild({ command: 'cat', args: files, cwd: '/', env }), {
      notifications: new Map([
        [ACP.sessionUpdate, (params) => took(parseWire(sessionUpdateParams, UPDATE_TAG, params).type === 'known')],
      ]),
      requests: new Map(),
      onRemark: ({ text }) => {
        throw new Error(text);
      },
    });
    break;
  }
  case 'readline':
    createInterface({ input: cat().stdout, crlfDelay: Number.POSITIVE_INFINITY }).on('line', (line) => {
      took(JSON.parse(line).method === ACP.sessionUpdate);
    });
    break;
  case 'sdk': {
    const { stdin, stdout } = cat();
    client()
      .onNotification('session/update', ({ params }) => took(params.update.sessionUpdate === 'agent_message_chunk'))
      .connect(ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout)));
    break;
  }
  default:
    throw new Error(`Unknown way: ${way}`);
}
