// The whole gallery as a mocha suite, for `run.ts`, which says in its environment what is wanted.
import path from 'node:path';
import { root } from '../vscode/ui/ground.ts';
import { LIVE_SCENES } from './liveScenes.ts';
import { RECORDED_SCENES } from './recordedScenes.ts';
import type { ThemeName } from './stage.ts';
import { gallery } from './suite.ts';
import { WINDOW_SCENES } from './windowScenes.ts';

const listed = (name: string) => (process.env[name] ?? '').split(',').filter(Boolean);
const states = listed('GALLERY_STATES');
const chosen = listed('GALLERY_THEMES');
const THEMES: readonly ThemeName[] = ['dark', 'light', 'high-contrast', 'high-contrast-light'];

const scenes = [...LIVE_SCENES, ...RECORDED_SCENES, ...WINDOW_SCENES];
const isWanted = (name: string) => states.length === 0 || states.some((state) => name.includes(state));
const themes = THEMES.filter((name) => chosen.length === 0 || chosen.includes(name));
const folder = path.resolve(root, process.env.GALLERY_FOLDER ?? 'test-artifacts/gallery');

describe('the gallery', function () {
  this.timeout(600_000);
  gallery({ scenes, isWanted, themes, folder });
});

/** Those of the scenes that say most, in Chinese. */
const CHINESE = ['empty', 'composing', 'question-edit', 'review', 'cards', 'marks', 'undone'];

describe('the gallery in Chinese', function () {
  this.timeout(600_000);
  const named = scenes
    .filter(({ name }) => CHINESE.includes(name))
    .map((scene) => ({ ...scene, name: `chinese-${scene.name}` }));
  gallery({ scenes: named, isWanted, themes, folder, language: 'zh-cn' });
});
