/** A page for the webview's components: happy-dom's window as the global one, and what the page did. */
import { Window } from 'happy-dom';
import { render } from 'preact';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { ComposerOptions, HostState, HostToView, ViewToHost } from '../../src/shared/messages.ts';
import { App } from '../../webview/App.tsx';
import {
  type Action,
  firstState,
  NOTHING_SAVED,
  type Page,
  type PageState,
  type Saved,
  step,
} from '../../webview/state.ts';
import { setLanguage } from '../../webview/words.ts';

/** How things stand in a trusted window with one folder where nothing runs. */
export const IDLE: HostState = {
  phase: 'idle',
  trusted: true,
  folder: 'project',
  interrupted: false,
  canUndo: false,
  canRedo: false,
  changedSince: 0,
  canResume: false,
  canReviewAgain: false,
  canCommit: false,
  pauseWanted: false,
  replay: false,
  canContinue: false,
  doctor: null,
  agents: [
    { id: 'claude', name: 'Claude', roles: ['execute', 'review'], company: 'Anthropic', installed: true },
    { id: 'gemini', name: 'Gemini', roles: ['execute', 'review'], company: 'Google', installed: true },
    { id: 'demo-reviewer', name: 'Demo Reviewer', roles: ['review'], company: '', installed: null },
  ],
  offers: {},
  folders: [{ name: 'project', path: '/project' }],
  consent: { told: true, asked: null },
  checks: {},
  defaults: {
    rounds: 3,
    executor: 'claude',
    reviewer: 'gemini',
    models: {},
    permissionMode: 'ask',
    folder: null,
    checks: null,
    newWorktree: false,
  },
  notices: [],
  words: {},
  language: 'en',
};

/** One drawn page. Every change is drawn at once. */
export interface TestPage {
  /** Without `warm`, which is said beside what a person does. */
  readonly posted: readonly ViewToHost[];
  readonly warmed: readonly ComposerOptions[];
  readonly state: () => PageState;
  readonly dispatch: (action: Action) => void;
  readonly hear: (message: HostToView) => void;
  /** The state of the host, then a run from its first event. */
  readonly show: (host: Partial<HostState>, events?: readonly LoopEvent[]) => void;
  readonly root: HTMLElement;
  /** The element with this role or tag whose text or label has the words; throws when there is none or several. */
  readonly find: (selector: string, words?: string) => HTMLElement;
  readonly all: (selector: string, words?: string) => HTMLElement[];
  /** What people read, white space joined. */
  readonly text: () => string;
}

const KEPT = [
  'window',
  'document',
  'Node',
  'Element',
  'HTMLElement',
  'Event',
  'IntersectionObserver',
  'ResizeObserver',
  'FileReader',
] as const;

/** Opens a page, with what VS Code kept of an earlier one. */
export function openPage(kept: Partial<Saved> = {}): TestPage {
  const window = new Window();
  for (const name of KEPT)
    Object.defineProperty(globalThis, name, { value: window[name] ?? window, configurable: true });
  setLanguage({}, 'en');
  const root = document.createElement('div');
  document.body.append(root);
  const posted: ViewToHost[] = [];
  const warmed: ComposerOptions[] = [];
  let state = firstState({ ...NOTHING_SAVED, ...kept }, 0);
  const draw = () => render(App({ state, page }), root);
  const page: Page = {
    post: (message) => {
      if (message.type === 'warm') warmed.push(message.options);
      else posted.push(message);
    },
    dispatch: (action) => {
      state = step(state, action);
      if (state.host !== null) setLanguage(state.host.words, state.host.language);
      draw();
    },
  };
  const all = (selector: string, words = '') =>
    [...root.querySelectorAll<HTMLElement>(selector)].filter((element) =>
      `${element.textContent} ${element.getAttribute('aria-label')}`.includes(words),
    );
  const hear = (message: HostToView) => page.dispatch({ type: 'host', message });
  draw();
  return {
    posted,
    warmed,
    state: () => state,
    dispatch: page.dispatch,
    hear,
    show(host, events = []) {
      hear({ type: 'state', state: { ...IDLE, ...host } });
      if (events.length === 0) return;
      hear({ type: 'reset', runId: 'run' });
      hear({ type: 'batch', runId: 'run', fromSeq: 1, events });
    },
    root,
    all,
    find(selector, words = '') {
      const [found, ...others] = all(selector, words);
      if (found === undefined || others.length > 0)
        throw new Error(`${others.length + (found ? 1 : 0)} × ${selector} "${words}" in: ${root.innerHTML}`);
      return found;
    },
    text: () => (root.textContent ?? '').replace(/\s+/g, ' '),
  };
}
