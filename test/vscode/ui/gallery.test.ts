import { LIVE_SCENES } from '../../gallery/liveScenes.ts';
import { RECORDED_SCENES } from '../../gallery/recordedScenes.ts';
import { gallery } from '../../gallery/suite.ts';

/** What `npm run gallery` looks at whole. */
const SOME = ['empty', 'missing', 'question-form', 'review', 'cards', 'contradiction', 'undone'];

describe('the Loop view fits its width and has no serious fault by axe-core, without pictures', () => {
  gallery({
    scenes: [...LIVE_SCENES, ...RECORDED_SCENES],
    isWanted: (name) => SOME.includes(name),
    themes: ['dark', 'high-contrast-light'],
    folder: null,
  });
});
