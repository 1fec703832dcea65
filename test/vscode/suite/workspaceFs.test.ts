import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { createUnsavedFiles } from '../../../src/host/unsavedFiles.ts';
import { createWorkspaceFs } from '../../../src/host/workspaceFs.ts';
import { FileRefused, type FileSession } from '../../../src/scheduler/fileService.ts';
import { type FilesFace, runFilesCase } from '../../cases/files.ts';
import { readCases } from '../../cases/readCases.ts';

const WHOLE = { line: null, limit: null } as const;

const open = (file: string) => vscode.workspace.openTextDocument(vscode.Uri.file(file));

async function closeAll(): Promise<void> {
  for (let left = 20; left > 0 && vscode.window.visibleTextEditors.length > 0; left--)
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

/** Puts the text into the document's editor and leaves it unsaved. */
async function type(document: vscode.TextDocument, text: string): Promise<void> {
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const all = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
  assert.ok(await editor.edit((edit) => edit.replace(all, text)));
}

const VSCODE: FilesFace = {
  service: (more) => createWorkspaceFs({ folders: () => more }),
  editors: {
    async open(file, replaceWith, save) {
      const document = await open(file);
      if (replaceWith !== null) await type(document, replaceWith);
      else await vscode.window.showTextDocument(document, { preview: false });
      if (save) assert.ok(await document.save());
    },
    async openUntitled(name, text) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: 'untitled', path: name }));
      await type(document, text);
    },
    text: (file) =>
      vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file)?.getText() ?? null,
    close: closeAll,
  },
};

describe('the files of this window', () => {
  let folder: string;
  let files: FileSession;

  const file = (name: string) => path.join(folder, name);
  const disk = (name: string) => fs.readFileSync(file(name), 'utf8');
  const put = (name: string, content: string | Buffer) => {
    fs.mkdirSync(path.dirname(file(name)), { recursive: true });
    fs.writeFileSync(file(name), content);
  };
  const read = async (name: string) => (await files.read(file(name), WHOLE)).text;
  const write = (name: string, content: string) => files.write(files.locate(file(name)), content);
  const refuses = (work: Promise<unknown>, problem: FileRefused['problem']) =>
    assert.rejects(work, (error) => error instanceof FileRefused && error.problem === problem);

  beforeEach(() => {
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first, 'a folder is open');
    folder = fs.realpathSync(fs.mkdtempSync(path.join(first.uri.fsPath, 'files-')));
    files = createWorkspaceFs({ folders: () => [] }).open(folder);
  });
  afterEach(async () => {
    await closeAll();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  describe('the handed cases', () => {
    it('pass, all that this platform can run', async function () {
      this.timeout(120_000);
      const root = vscode.extensions.getExtension('cgloop.claude-gemini-loop')?.extensionPath;
      assert.ok(root);
      const failed: string[] = [];
      let passed = 0;
      for (const { id, title, testCase } of await readCases(path.join(root, 'test/cases/files.jsonl'))) {
        const differences = await runFilesCase(testCase, VSCODE);
        if (differences?.length === 0) passed++;
        if (differences !== null && differences.length > 0) failed.push(`${id} ${title}: ${differences.join('; ')}`);
      }
      assert.deepEqual(failed, []);
      assert.equal(passed, process.platform === 'win32' ? 37 : 41);
    });
  });

  it('reads unsaved text from its editor, also through a link and by lines', async () => {
    put('a.txt', 'disk\n');
    fs.symlinkSync(file('a.txt'), file('link.txt'));
    await type(await open(file('a.txt')), 'one\ntwo\nthree\n');
    assert.deepEqual(await files.read(file('link.txt'), WHOLE), { text: 'one\ntwo\nthree\n', from: 'editor' });
    assert.deepEqual(await files.read(file('a.txt'), { line: 2, limit: 1 }), { text: 'two\n', from: 'editor' });
    assert.equal(disk('a.txt'), 'disk\n');
  });

  it('replaces unsaved text only when exactly that text was read, and one step undoes it', async () => {
    put('a.txt', 'disk\n');
    const document = await open(file('a.txt'));
    await type(document, 'mine\n');
    await refuses(write('a.txt', 'agent\n'), 'unsaved');
    await files.read(file('a.txt'), { line: 1, limit: 1 });
    await refuses(write('a.txt', 'agent\n'), 'unsaved');
    await read('a.txt');
    await type(document, 'mine, and more\n');
    await refuses(write('a.txt', 'agent\n'), 'unsaved');
    assert.deepEqual([document.getText(), disk('a.txt')], ['mine, and more\n', 'disk\n']);

    await read('a.txt');
    assert.equal(await write('a.txt', 'mine, and the agent’s\n'), 'editor');
    assert.deepEqual([document.getText(), disk('a.txt')], ['mine, and the agent’s\n', 'mine, and the agent’s\n']);
    assert.equal(document.isDirty, false);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'mine, and more\n');
  });

  it('another session has read nothing', async () => {
    put('a.txt', 'disk\n');
    await type(await open(file('a.txt')), 'mine\n');
    await read('a.txt');
    const other = createWorkspaceFs({ folders: () => [] }).open(folder);
    await refuses(other.write(other.locate(file('a.txt')), 'agent\n'), 'unsaved');
    assert.equal(await files.look(file('a.txt')), 'mine\n');
  });

  it('writes exact bytes, whatever formats on save, and a clean editor shows them as one undoable step', async () => {
    const formatted: string[] = [];
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/*.cgfmt' },
      {
        provideDocumentFormattingEdits(one) {
          formatted.push(path.basename(one.uri.fsPath));
          return [vscode.TextEdit.insert(one.positionAt(0), 'FORMATTED ')];
        },
      },
    );
    const settings = vscode.workspace.getConfiguration();
    const names = ['editor.formatOnSave', 'files.insertFinalNewline', 'files.trimTrailingWhitespace'];
    for (const name of names) await settings.update(name, true, vscode.ConfigurationTarget.Global);
    try {
      for (const name of ['clean.cgfmt', 'dirty.cgfmt']) put(name, 'before\n');
      const clean = await open(file('clean.cgfmt'));
      await vscode.window.showTextDocument(clean, { preview: false });
      assert.equal(await write('clean.cgfmt', 'after   \nno end'), 'disk');
      assert.equal(disk('clean.cgfmt'), 'after   \nno end');
      assert.equal(clean.getText(), 'after   \nno end');
      assert.equal(clean.isDirty, false);
      await vscode.commands.executeCommand('undo');
      assert.equal(clean.getText(), 'before\n');
      await vscode.commands.executeCommand('workbench.action.files.revert');

      const dirty = await open(file('dirty.cgfmt'));
      await type(dirty, 'mine\n');
      await read('dirty.cgfmt');
      await write('dirty.cgfmt', 'after   \nno end');
      assert.equal(disk('dirty.cgfmt'), 'after   \nno end');
      assert.equal(dirty.getText(), 'after   \nno end');
      assert.equal(dirty.isDirty, false);
      assert.deepEqual(formatted, ['dirty.cgfmt'], 'the formatter that had to be put right ran');
    } finally {
      formatter.dispose();
      for (const name of names) await settings.update(name, undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('keeps line ends, byte order mark and encoding, open with unsaved text or not', async () => {
    const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    for (const dirty of [false, true]) {
      const name = (kind: string) => `${dirty}-${kind}.txt`;
      put(name('crlf'), 'a\r\nb\r\n');
      put(name('bom'), '\uFEFFa\n');
      put(name('utf16'), utf16('a\r\nü\r\n'));
      for (const kind of ['crlf', 'bom', 'utf16']) {
        if (dirty) await type(await open(file(name(kind))), 'typed\n');
        const text = await read(name(kind));
        assert.ok(!text.startsWith('\uFEFF'));
        await write(name(kind), 'new ü\nlast\n');
      }
      assert.equal(disk(name('crlf')), 'new ü\r\nlast\r\n');
      assert.equal(disk(name('bom')), '\uFEFFnew ü\nlast\n');
      assert.deepEqual(fs.readFileSync(file(name('utf16'))), utf16('new ü\r\nlast\r\n'));
    }
  });

  it('reads and writes the encoding that the settings name, and refuses what it has no character for', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('encoding', 'windows1252', vscode.ConfigurationTarget.Global);
    try {
      put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'));
      assert.equal(await read('latin.txt'), 'café\n');
      await write('latin.txt', 'café crème\n');
      assert.deepEqual(fs.readFileSync(file('latin.txt')), Buffer.from('caf\xe9 cr\xe8me\n', 'latin1'));
      await refuses(write('latin.txt', '咖啡\n'), 'noText');
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Global);
    }
    await refuses(read('latin.txt'), 'noText');
  });

  it('reads a clean editor’s file from the disk, and writes it while the editor is behind', async () => {
    put('a.txt', 'old\n');
    const document = await open(file('a.txt'));
    await vscode.window.showTextDocument(document);
    put('a.txt', 'new\n');
    assert.deepEqual(await files.read(file('a.txt'), WHOLE), { text: 'new\n', from: 'disk' });
    await write('a.txt', 'newer\n');
    assert.deepEqual([disk('a.txt'), document.getText(), document.isDirty], ['newer\n', 'newer\n', false]);
  });

  it('puts the person’s text back when VS Code cannot save', async () => {
    put('a.txt', 'disk\n');
    const document = await open(file('a.txt'));
    await type(document, 'mine\n');
    await read('a.txt');
    // A change on disk that the editor must not overwrite without a question.
    fs.writeFileSync(file('a.txt'), 'somebody else, longer\n');
    fs.utimesSync(file('a.txt'), new Date(), new Date(Date.now() + 5000));
    await refuses(write('a.txt', 'agent\n'), 'failed');
    assert.deepEqual([document.getText(), disk('a.txt')], ['mine\n', 'somebody else, longer\n']);
    assert.equal(document.isDirty, true);
  });

  it('refuses notebooks, and new files that were never saved', async () => {
    put('n.ipynb', '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}');
    assert.throws(() => files.locate(file('n.ipynb')), /notebook/);
    const named = vscode.Uri.from({ scheme: 'untitled', path: file('draft.txt') });
    await type(await vscode.workspace.openTextDocument(named), 'a draft');
    await refuses(read('draft.txt'), 'unsaved');
    await refuses(write('draft.txt', 'agent'), 'unsaved');
    assert.equal(fs.existsSync(file('draft.txt')), false);
  });

  it('makes new files beside an open editor of another name, distinct by case where the platform tells them apart', async function () {
    if (process.platform !== 'linux') this.skip();
    put('Readme.md', 'upper\n');
    await type(await open(file('Readme.md')), 'typed\n');
    await write('readme.md', 'lower\n');
    assert.deepEqual([disk('readme.md'), await read('Readme.md')], ['lower\n', 'typed\n']);
  });

  it('serves the other folders of the window, and nothing else', async () => {
    const other = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'cgloop-other-')));
    try {
      fs.writeFileSync(path.join(other, 'b.txt'), 'b\n');
      const both = createWorkspaceFs({ folders: () => [other] }).open(folder);
      assert.equal((await both.read(path.join(other, 'b.txt'), WHOLE)).text, 'b\n');
      await refuses(files.read(path.join(other, 'b.txt'), WHOLE), 'outside');
    } finally {
      fs.rmSync(other, { recursive: true });
    }
  });

  describe('unsaved files before a turn', () => {
    it('are listed by their path in the folder, and saved as their editor does', async () => {
      put('src/a.txt', 'disk\n');
      put('b.txt', 'disk\n');
      const document = await open(file('src/a.txt'));
      await type(document, 'mine\n');
      await open(file('b.txt'));
      const unsaved = createUnsavedFiles('ask');
      assert.deepEqual(unsaved.list(folder), ['src/a.txt']);
      assert.deepEqual(createWorkspaceFs({ folders: () => [] }).unsaved([file('src/a.txt'), file('b.txt')]), [
        file('src/a.txt'),
      ]);
      assert.deepEqual(await unsaved.save(folder, ['src/a.txt']), ['src/a.txt']);
      assert.deepEqual([disk('src/a.txt'), unsaved.list(folder)], ['mine\n', []]);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'disk\n');
    });

    it('are named in the question', () => {
      const request = createUnsavedFiles('ask').question(['src/a.txt']);
      assert.equal(request.title, '1 file has unsaved changes');
      assert.deepEqual(request.content, [{ type: 'text', text: 'src/a.txt' }]);
      assert.match(request.form?.message ?? '', /on disk/);
    });
  });
});
