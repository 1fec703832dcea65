import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';

interface Manifest {
  readonly activationEvents?: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
    readonly virtualWorkspaces: { readonly supported: boolean };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string }>> };
  };
}

/** Settings that name a program, its arguments or its environment: never to be taken from a workspace. */
const PROGRAM_SETTINGS = ['cgloop.executablePaths'];

/** Empty for a process that has ended, or has not begun, meanwhile. */
function commandOf(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

describe('the extension', () => {
  const extension = () => {
    const found = vscode.extensions.getExtension('cgloop.claude-gemini-loop');
    assert.ok(found, 'the extension is installed');
    return found;
  };
  const manifest = (): Manifest => extension().packageJSON;
  /** Command lines of this host's children, but for the language servers and the like that VS Code starts when it wants. */
  const childrenOfHost = () => {
    const pids = fs.readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').match(/\d+/g) ?? [];
    return pids.map(commandOf).filter((command) => command !== '' && !command.includes(vscode.env.appRoot));
  };

  it('is activated once a window has started, for its terminals, and by a diff that a former window left open', () => {
    assert.deepEqual(manifest().activationEvents, [
      'onStartupFinished',
      'onFileSystem:cgloop-pending',
      'onWebviewPanel:cgloop.run',
    ]);
  });

  it('puts cgloop on the PATH of terminals, where it runs', async function () {
    if (process.platform === 'win32') this.skip(); // The shell below.
    await extension().activate();
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    assert.ok(folder);
    const file = path.join(folder, 'version.txt');
    const terminal = vscode.window.createTerminal({ shellPath: '/bin/sh', cwd: folder });
    terminal.sendText('cgloop --version > version.part && mv version.part version.txt');
    const end = performance.now() + 30_000;
    while (!fs.existsSync(file) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 100));
    terminal.dispose();
    assert.equal(fs.readFileSync(file, 'utf8'), `${extension().packageJSON.version}\n`);
  });

  it('starts no process and writes no file in activate', async function () {
    if (process.platform !== 'linux') this.skip(); // Children are read from /proc.
    const before = childrenOfHost();
    await extension().activate();
    assert.ok(extension().isActive);
    const more = childrenOfHost().filter((command) => !before.includes(command));
    assert.deepEqual(more, []);
    assert.ok(process.env.CGLOOP_HOME, 'the runner sets a state folder of its own');
    assert.equal(fs.existsSync(process.env.CGLOOP_HOME), false);
  });

  it('registers every command of its manifest', async () => {
    await extension().activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const contributed = manifest().contributes.commands.map(({ command }) => command);
    assert.ok(contributed.length >= 4);
    assert.deepEqual(
      contributed.filter((command) => !registered.has(command)),
      [],
    );
  });

  it('gives every command a title in words and one category', () => {
    for (const { command, title, category } of manifest().contributes.commands) {
      assert.doesNotMatch(`${title}${category}`, /^$|%/, command);
      assert.equal(category, 'Claude–Gemini Loop', command);
    }
  });

  it('takes no program from a workspace: such settings have machine scope and are restricted', () => {
    const { properties } = manifest().contributes.configuration;
    const { restrictedConfigurations } = manifest().capabilities.untrustedWorkspaces;
    for (const name of PROGRAM_SETTINGS) {
      assert.equal(properties[name]?.scope, 'machine', name);
      assert.ok(restrictedConfigurations.includes(name), name);
    }
  });

  it('gets the default where the opened folder’s settings name a program, and its number where they name a number', () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const settings = vscode.workspace.getConfiguration('cgloop', folder?.uri);
    assert.deepEqual(settings.get('executablePaths'), {});
    assert.equal(settings.inspect('executablePaths')?.workspaceValue, undefined);
    assert.equal(settings.get('rounds'), 7);
  });

  it('is limited in untrusted workspaces, and not there in virtual ones', () => {
    assert.equal(manifest().capabilities.untrustedWorkspaces.supported, 'limited');
    assert.equal(manifest().capabilities.virtualWorkspaces.supported, false);
  });
});
