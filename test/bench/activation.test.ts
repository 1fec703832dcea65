import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const program = path.join(import.meta.dirname, 'activation.cjs');

function activation(what: 'cpu' | 'calls', source: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-activation-'));
  try {
    const bundle = path.join(folder, 'bundle.cjs');
    fs.writeFileSync(bundle, source);
    fs.writeFileSync(path.join(folder, 'other.cjs'), '');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, what, bundle], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

describe('the bench of activation', () => {
  const registers = `
const vscode = require('vscode');
class Provider extends vscode.EventEmitter {}
exports.activate = (context) => {
  context.subscriptions.push(vscode.commands.registerCommand('a.b', () => {}), new Provider());
  for (const { name } of vscode.workspace.workspaceFolders ?? []) throw new Error(name);
`;

  it('counts nothing in an activate that registers', () => {
    assert.deepEqual(JSON.parse(activation('calls', `${registers}};`)), []);
  });

  it('counts a file, another module, a timer and a process', () => {
    const calls = JSON.parse(
      activation(
        'calls',
        `${registers}
  require('node:fs').existsSync(__filename);
  require('node:fs').readdirSync(__dirname);
  require('./other.cjs');
  setTimeout(() => {}, 0);
  require('node:child_process').spawn(process.execPath, ['--version']);
};`,
      ),
    );
    for (const call of ['readdirSync', 'readFileSync', 'setTimeout', 'spawn']) assert.ok(calls.includes(call), call);
  });

  it('takes the time of loading and activating', () => {
    const busy = 'const start = process.cpuUsage(); while (process.cpuUsage(start).user < 50_000);';
    assert.ok(Number(activation('cpu', `${registers} ${busy} };`)) > 10_000);
  });
});
