import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

describe('the test ground', () => {
  const folder = () => {
    const first = vscode.workspace.workspaceFolders?.[0];
    assert.ok(first, 'a folder is open');
    return first.uri.fsPath;
  };

  it('is a real VS Code of at least the version that the manifest asks for', () => {
    console.log(`      VS Code ${vscode.version}, ${vscode.env.appName}, Node ${process.version}`);
    const [major = 0, minor = 0] = vscode.version.split('.').map(Number);
    assert.ok(major > 1 || (major === 1 && minor >= 100));
  });

  it('edits and saves a file', async () => {
    const file = vscode.Uri.file(path.join(folder(), 'a.txt'));
    await vscode.workspace.fs.writeFile(file, Buffer.from('one\n'));
    const editor = await vscode.window.showTextDocument(file);
    assert.ok(await editor.edit((change) => change.insert(new vscode.Position(1, 0), 'two\n')));
    assert.ok(await editor.document.save());
    assert.equal(fs.readFileSync(file.fsPath, 'utf8'), 'one\ntwo\n');
  });

  // Set by the ground's own test: a host that dies in the middle must not count as passed.
  if (process.env.GROUND_FAULT === 'exit') it('ends the host', () => process.exit(0));
});
