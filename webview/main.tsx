/** @jsxRuntime automatic @jsxImportSource preact */
import { render } from 'preact';
import type { HostToView, ViewToHost } from '../src/shared/messages.ts';
import { App } from './App.tsx';
import { sameProps } from './memo.ts';
import { type Action, firstState, fits, NOTHING_SAVED, type Page, type Saved, savedOf, step } from './state.ts';
import { setLanguage } from './words.ts';
import './style.css';

/** What VS Code gives to the page of a webview, once. */
declare function acquireVsCodeApi(): {
  postMessage(message: ViewToHost): void;
  getState(): Partial<Saved> | undefined;
  setState(saved: Saved): void;
};

const TICK_MS = 1000;
const code = acquireVsCodeApi();
const root = document.body;
let state = firstState({ ...NOTHING_SAVED, ...code.getState() }, Date.now());
let saved = savedOf(state);
let frame = 0;

const page: Page = { dispatch, post: (message) => code.postMessage(message) };

/** Every change goes through here; one drawing a frame, however many there were. */
function dispatch(action: Action): void {
  const next = step(state, action);
  if (next === state) return;
  state = next;
  if (frame === 0) frame = requestAnimationFrame(draw);
}

function draw(): void {
  frame = 0;
  if (state.host !== null) {
    setLanguage(state.host.words, state.host.language);
    // Even the same language, when set, has every element's style looked at anew.
    if (document.documentElement.lang !== state.host.language) document.documentElement.lang = state.host.language;
  }
  render(<App state={state} page={page} />, root);
  const next = savedOf(state);
  if (sameProps(next, saved)) return;
  saved = next;
  code.setState(saved);
}

function drawNow(): void {
  if (frame === 0) return;
  cancelAnimationFrame(frame);
  draw();
}

function askForEvents(): void {
  page.post({ type: 'ready', runId: state.runId, lastSeq: state.folded.lastSeq });
}

window.addEventListener('message', ({ data }: MessageEvent<HostToView>) => {
  if (fits(state, data)) dispatch({ type: 'host', message: data });
  else askForEvents();
});

// What a person does next is meant for what they wrote just now, also where the frame that draws it has not come yet.
for (const type of ['keydown', 'click', 'submit', 'paste', 'drop']) window.addEventListener(type, drawNow, true);

// Only the elapsed time depends on it.
setInterval(() => {
  if (state.host !== null && state.host.phase !== 'idle') dispatch({ type: 'tick', now: Date.now() });
}, TICK_MS);

askForEvents();
