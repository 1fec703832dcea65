import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { reloadWindow } from '../vscode/host/workbench.ts';
import { artifacts, openWorkbench, root, screenshot } from '../vscode/ui/ground.ts';
import { fillProject } from './project.ts';
import { look, type Scene, type Stage, stageOf, type ThemeName, toComposer } from './stage.ts';

export interface GalleryOptions {
  readonly scenes: readonly Scene[];
  /** Those of `scenes` that are looked at; the others play only where one of these goes on from them. */
  readonly isWanted: (name: string) => boolean;
  readonly themes: readonly ThemeName[];
  /** Absent: English. */
  readonly language?: string;
  /** Absolute: where the pictures go. Null: none are taken. */
  readonly folder: string | null;
}

/** Inside a `describe`: plays the scenes in one window, one after the other, and fails for each with what is wrong in it. */
export function gallery({ scenes, isWanted, themes, folder, language }: GalleryOptions): void {
  const wanted = scenes.filter(({ name }) => isWanted(name));
  const played = scenes.filter(({ name }) => wanted.some((scene) => leadsTo(scenes, name, scene)));
  if (wanted.length === 0) return;
  let open: Awaited<ReturnType<typeof openWorkbench>> | null = null;
  let stage: Stage;
  before(async () => {
    if (folder !== null) fs.mkdirSync(folder, { recursive: true });
    open = await openWorkbench({ prepare: fillProject, env: { ...process.env, CGLOOP_DEMO_SPEED: '0' }, language });
    stage = stageOf(open, wordsOf(language));
    stage.play([]);
    await stage.choose('claude', 'gemini');
  });
  after(async () => {
    await open?.close();
  });
  /** The scene that plays; null between two. */
  let playing: Scene | null = null;
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed' || open === null || playing === null) return;
    playing = null;
    fs.mkdirSync(artifacts, { recursive: true });
    fs.writeFileSync(path.join(artifacts, 'gallery.log'), open.server.log());
    await screenshot(open.page, `failed-${this.currentTest.title.replace(/\W+/g, '-')}`);
    await reloadWindow(open.page);
    await toComposer(stage);
  });

  for (const scene of played) {
    const words = wanted.includes(scene) ? '' : ' (only to go on from it)';
    it(`${scene.name}${words}`, async () => {
      playing = scene;
      await scene.show(stage);
      const faults: string[] = [];
      if (wanted.includes(scene)) for (const theme of themes) faults.push(...(await look(stage, scene, theme, folder)));
      const next = played[played.indexOf(scene) + 1];
      await (scene.leave ?? (next?.after === scene.name ? null : toComposer))?.(stage);
      playing = null;
      assert.ok(faults.length === 0, `\n${faults.join('\n')}`);
    });
  }

  it('breaks no content policy (case C58)', () => {
    const { consoleMessages } = stage;
    assert.deepEqual(
      consoleMessages.filter((text) => /Content Security Policy/.test(text)),
      [],
    );
  });
}

/** The product's words in a language; in one that it has none of, and in English, they are what they are. */
function wordsOf(language: string | undefined): Stage['t'] {
  if (language === undefined) return (english) => english;
  const read = (name: string) => stringMap.parse(JSON.parse(fs.readFileSync(path.join(root, name), 'utf8')));
  const english = read('package.nls.json');
  const manifest = Object.entries(read(`package.nls.${language}.json`)).flatMap(([key, word]) => {
    const text = english[key];
    return text === undefined ? [] : [[text, word] as const];
  });
  const words = new Map([...manifest, ...Object.entries(read(`l10n/bundle.l10n.${language}.json`))]);
  return (text) => words.get(text) ?? text;
}

const stringMap = z.record(z.string(), z.string());

/** Whether `scene` is the one of this name, or goes on from it. */
function leadsTo(scenes: readonly Scene[], name: string, scene: Scene): boolean {
  if (scene.name === name) return true;
  const before = scenes.find((one) => one.name === scene.after);
  return before !== undefined && leadsTo(scenes, name, before);
}
