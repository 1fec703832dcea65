import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { AGENT_IDS } from '../../src/agent/catalog.ts';
import { COMMANDS } from '../../src/host/commandNames.ts';
import { readSettings } from '../../src/host/settings.ts';
import { TERMINAL_SETTING } from '../../src/host/terminalPath.ts';
import { DEFAULTS } from '../../src/loop/options.ts';

const root = path.resolve(import.meta.dirname, '../..');
const text = (file: string) => fs.readFileSync(path.join(root, file), 'utf8');
const json = (file: string) => JSON.parse(text(file));
const manifest = json('package.json');
const { commands, menus, configuration, keybindings } = manifest.contributes;
const properties: Record<string, Setting> = configuration.properties;

interface Setting {
  readonly scope: string;
  readonly default: unknown;
  readonly order: number;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
}

const sources = (folder: string) =>
  fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => text(`${folder}/${file}`));

describe('the manifest', () => {
  it('has a command for every one that is registered, in the one category', () => {
    assert.deepEqual(
      commands.map((command: { command: string }) => command.command),
      COMMANDS.map((name) => `cgloop.${name}`),
    );
    for (const command of commands) assert.equal(command.category, '%category%');
  });

  it('names only its own commands in menus and keys', () => {
    const known = new Set(commands.map((command: { command: string }) => command.command));
    for (const { command } of [...Object.values<{ command: string }[]>(menus).flat(), ...keybindings])
      assert.ok(known.has(command), command);
  });

  it('has the settings that are read, with the defaults and scopes of the design', () => {
    const asked = new Set<string>();
    readSettings((name) => {
      asked.add(`cgloop.${name}`);
      return { effective: undefined, user: undefined };
    });
    // The entry reads this one, before any schema is loaded.
    asked.add(`cgloop.${TERMINAL_SETTING}`);
    assert.deepEqual(Object.keys(properties).toSorted(), [...asked].toSorted());
    for (const [name, value] of Object.entries(DEFAULTS)) assert.equal(properties[`cgloop.${name}`]?.default, value);
    assert.equal(properties['cgloop.executablePaths']?.scope, 'machine');
    const { untrustedWorkspaces } = manifest.capabilities;
    assert.equal(untrustedWorkspaces.supported, 'limited');
    assert.ok(untrustedWorkspaces.restrictedConfigurations.includes('cgloop.executablePaths'));
  });

  it('has a place of its own for each setting in the editor of settings, and says what it and each of its values means', () => {
    const orders = Object.values(properties).map(({ order }) => order);
    assert.equal(new Set(orders).size, orders.length);
    for (const [name, setting] of Object.entries(properties)) {
      assert.match(setting.markdownDescription ?? '', /^%setting\./, name);
      assert.equal(setting.enumDescriptions?.length, setting.enum?.length, name);
    }
  });

  it('says of each command when it applies, or that it always does', () => {
    const always = [
      'openLog',
      'demo',
      'checkSetup',
      'signIn',
      'setGeminiKey',
      'clearKeys',
      'report',
      'rules',
      'findRun',
      'deleteOldRuns',
      'deleteAllData',
    ];
    for (const { command, enablement, icon } of commands) {
      assert.ok(enablement !== undefined || always.includes(command.slice('cgloop.'.length)), command);
      assert.match(icon, /^\$\(.+\)$/, command);
    }
    for (const { key, when } of keybindings) assert.ok(when !== undefined, key);
  });

  it('depends on no context that nobody sets', () => {
    const wished = [...Object.values<{ when?: string }[]>(menus).flat(), ...keybindings].map(({ when = '' }) => when);
    const named = [...wished, ...commands.map(({ enablement = '' }) => enablement)]
      // Names that are compared with a view or a scheme are none.
      .flatMap((when) => when.replace(/(?:==|=~) \S+/g, '').match(/cgloop\.\w+/g) ?? []);
    const host = sources('src/host').join('\n');
    for (const name of new Set(named)) {
      const key = name.slice('cgloop.'.length);
      assert.ok(host.includes(`setKey('${key}',`) || host.includes(`'setContext', '${name}'`), name);
    }
  });

  it('gives its own defaults and every offered agent a place that the reader and the catalog know', () => {
    const { settings, problems } = readSettings((name) => ({
      effective: properties[`cgloop.${name}`]?.default,
      user: undefined,
    }));
    assert.deepEqual(problems, []);
    assert.equal(settings.rounds, 3);
    const { 'cgloop.executor': executor, 'cgloop.reviewer': reviewer } = configuration.properties;
    for (const id of [...executor.enum, ...reviewer.enum]) assert.ok(AGENT_IDS.includes(id), id);
  });

  it('has its pictures', () => {
    const { viewsContainers, views } = manifest.contributes;
    for (const file of [manifest.icon, viewsContainers.activitybar[0].icon, views.cgloop[0].icon])
      assert.ok(fs.existsSync(path.join(root, file)), file);
  });
});

describe('the walkthrough', () => {
  const steps: readonly WalkthroughStep[] = manifest.contributes.walkthroughs[0].steps;

  it('has a picture for each step, with its words, and is done by commands and views that are there', () => {
    const known = new Set(commands.map((command: { command: string }) => command.command));
    for (const { id, media, completionEvents } of steps) {
      assert.ok(fs.existsSync(path.join(root, media.svg)), id);
      assert.match(media.altText, /^%walkthrough\./, id);
      for (const event of completionEvents) {
        const [kind, name = ''] = event.split(':');
        if (kind === 'onCommand') assert.ok(known.has(name), event);
        else if (kind === 'onSettingChanged') assert.ok(name in properties, event);
        else assert.equal(event, 'onView:cgloop.loop');
      }
    }
  });

  it('names only commands that are there, the same ones in both languages', () => {
    const known = new Set(commands.map((command: { command: string }) => command.command));
    const linked = ['package.nls.json', 'package.nls.zh-cn.json'].map((file) =>
      steps.map(({ id }) =>
        [...json(file)[`walkthrough.${id}.description`].matchAll(/\(command:([^)]+)\)/g)].map(String),
      ),
    );
    assert.deepEqual(linked[0], linked[1]);
    for (const link of linked.flat(2)) {
      const [, name = ''] = /command:([\w.]+)/.exec(link) ?? [];
      const ofVsCode = ['workbench.action.openSettings', 'cgloop.loop.focus'];
      assert.ok(known.has(name) || ofVsCode.includes(name), link);
    }
  });
});

interface WalkthroughStep {
  readonly id: string;
  readonly media: { readonly svg: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}

describe('the words in English and Simplified Chinese', () => {
  it('of the manifest: every key that it uses and no other, in both', () => {
    const used = [...text('package.json').matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key);
    const keys = [...new Set(used)].toSorted();
    for (const file of ['package.nls.json', 'package.nls.zh-cn.json'])
      assert.deepEqual(Object.keys(json(file)).toSorted(), keys, file);
  });

  it('of the code: every text has its translation with the same places, and no translation is left over', () => {
    const used = new Set<string>();
    // What the core says for people is in the words of the face that asks.
    const folders = [
      'webview',
      'src/host',
      'src/shared',
      'src/loop',
      'src/session',
      'src/workspace',
      'src/scheduler',
      'src/agent',
    ].flatMap(sources);
    for (const source of folders)
      for (const [, key = ''] of source.matchAll(/(?<![\w.])(?:(?:vscode\.)?l10n\.)?t\(\s*'((?:[^'\\]|\\.)*)'/g))
        used.add(key);
    const bundle: Record<string, string> = json('l10n/bundle.l10n.zh-cn.json');
    assert.deepEqual(Object.keys(bundle).toSorted(), [...used].toSorted());
    const places = (words: string) => [...words.matchAll(/\{\d\}/g)].map(String).toSorted();
    for (const [key, words] of Object.entries(bundle)) assert.deepEqual(places(words), places(key), key);
  });
});
