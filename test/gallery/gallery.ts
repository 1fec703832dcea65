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

describe('the gallery', function () {
  this.timeout(600_000);
  gallery({
    scenes: [...LIVE_SCENES, ...RECORDED_SCENES, ...WINDOW_SCENES],
    isWanted: (name) => states.length === 0 || states.some((state) => name.includes(state)),
    themes: THEMES.filter((name) => chosen.length === 0 || chosen.includes(name)),
    folder: path.resolve(root, process.env.GALLERY_FOLDER ?? 'test-artifacts/gallery'),
  });
});
