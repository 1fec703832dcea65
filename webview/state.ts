import { markInterrupted } from '../src/shared/interrupted.ts';
import type { AskedUndo, ComposerOptions, HostState, HostToView, ViewToHost } from '../src/shared/messages.ts';
import { reduce } from '../src/shared/reduce.ts';
import type { UndoAnswer } from '../src/shared/undo.ts';
import { EMPTY_VIEW, type RunView } from '../src/shared/view.ts';
import { type ComposerState, EMPTY_COMPOSER, moved, recalled, typed, written } from './composer/state.ts';
import { withText } from './composer/typing.ts';
import type { FormDraft } from './formDraft.ts';

/** What the person has made of a review so far. It belongs to one round of one run. */
export interface BetweenDraft {
  /** `RUN/ROUND`. */
  readonly id: string;
  /** The edited review; null: untouched. */
  readonly text: string | null;
  /** Ids of the findings that are not to go back. */
  readonly left: readonly string[];
  readonly instruction: string;
}

/** What outlives the page: kept by VS Code when the view is hidden or the window reloaded. */
export interface Saved {
  /** The task as far as it is typed. */
  readonly draft: string;
  /** The person's own choices; what is absent follows the settings. */
  readonly options: Partial<ComposerOptions>;
  /** What the settings said when those were made; null: nothing yet. */
  readonly defaults: ComposerOptions | null;
  /** What the person has made of the review that a run waits with; null: nothing. */
  readonly between: BetweenDraft | null;
  /** Words for the next round, while the person types them; null: the box is closed. */
  readonly note: string | null;
  /** The run that all below belongs to; null: none. */
  readonly of: string | null;
  /** Disclosures that the person opened or closed, by id. */
  readonly open: Readonly<Record<string, boolean>>;
  /** Words for a refusal by permission id, while the person types them. */
  readonly replies: Readonly<Record<string, string>>;
  /** Forms by permission id, while the person fills them in. */
  readonly forms: Readonly<Record<string, FormDraft>>;
  /** By finding id, while the person types. */
  readonly remarks: Readonly<Record<string, Remark>>;
}

const NOTHING_OF_RUN = { open: {}, replies: {}, forms: {}, remarks: {} } as const;

/** Nothing is kept yet. */
export const NOTHING_SAVED: Saved = {
  draft: '',
  options: {},
  defaults: null,
  between: null,
  note: null,
  of: null,
  ...NOTHING_OF_RUN,
};

/** What of the state is kept. */
export function savedOf(state: Saved): Saved {
  const { draft, options, defaults, between, note, of, open, replies, forms, remarks } = state;
  return { draft, options, defaults, between, note, of, open, replies, forms, remarks };
}

/** An undoing that the person looks at. `answer` null: what it would do is not told yet. */
export interface UndoDraft {
  readonly asked: AskedUndo;
  readonly answer: UndoAnswer | null;
}

/** What the person writes about a finding: why it is dismissed, or what the reviewer is asked. */
export interface Remark {
  readonly type: 'dismiss' | 'ask';
  readonly text: string;
}

/** What the ending card shows besides. */
export type EndingPanel = 'undo' | 'reviewer' | 'more';

/** Everything that is drawn comes from here. */
export interface PageState extends Saved {
  readonly composer: ComposerState;
  /** Null until the host has spoken. */
  readonly host: HostState | null;
  readonly runId: string | null;
  /** The fold of the events that came. */
  readonly folded: RunView;
  /** The view as drawn: `folded`, or its interrupted form. */
  readonly view: RunView;
  /** Questions whose answer is on its way. */
  readonly answered: Readonly<Record<string, true>>;
  readonly panel: EndingPanel | null;
  /** Null: none is looked at. */
  readonly undo: UndoDraft | null;
  /** The person has scrolled up: nothing above may close by itself. */
  readonly reading: boolean;
  /** The rounds that are open as long as the person says nothing else: the newest, and those that they read. */
  readonly unfolded: readonly number[];
  /** Milliseconds since the epoch, ticking while a run is under way. */
  readonly now: number;
}

export type Action =
  | { readonly type: 'host'; readonly message: HostToView }
  /** The person typed. */
  | { readonly type: 'draft'; readonly text: string; readonly caret: number }
  /** The page writes the task. */
  | { readonly type: 'write'; readonly text: string; readonly caret: number; readonly blank?: number }
  | { readonly type: 'caret'; readonly at: number }
  /** An older task, or a newer one. */
  | { readonly type: 'recall'; readonly by: -1 | 1 }
  /** The choice that Enter takes; null: the menu is closed. `word`: where the word of the menu begins. */
  | { readonly type: 'menu'; readonly active: number | null; readonly word: number }
  /** Why something was not taken; null: nothing is to be said. */
  | { readonly type: 'refused'; readonly why: string | null }
  | { readonly type: 'option'; readonly options: Partial<ComposerOptions> }
  | { readonly type: 'toggle'; readonly id: string; readonly open: boolean }
  | { readonly type: 'reply'; readonly permissionId: string; readonly text: string | null }
  | { readonly type: 'form'; readonly permissionId: string; readonly draft: FormDraft }
  | { readonly type: 'answered'; readonly permissionId: string }
  | { readonly type: 'between'; readonly draft: BetweenDraft }
  | { readonly type: 'note'; readonly text: string | null }
  /** Null: the box is closed. */
  | { readonly type: 'remark'; readonly finding: string; readonly remark: Remark | null }
  | { readonly type: 'panel'; readonly panel: EndingPanel | null }
  | { readonly type: 'undo'; readonly asked: AskedUndo }
  | { readonly type: 'reading'; readonly reading: boolean }
  | { readonly type: 'tick'; readonly now: number };

/** The one way to change the page and to speak to the host. Its identity never changes. */
export interface Page {
  readonly dispatch: (action: Action) => void;
  readonly post: (message: ViewToHost) => void;
}

/** Of the run shown. */
const NOTHING_OPEN = { answered: {}, panel: null, undo: null, unfolded: [] } as const;

/** The page before the host has spoken. */
export function firstState(saved: Saved, now: number): PageState {
  return {
    ...saved,
    composer: { ...EMPTY_COMPOSER, caret: saved.draft.length },
    host: null,
    runId: null,
    folded: EMPTY_VIEW,
    view: EMPTY_VIEW,
    ...NOTHING_OPEN,
    reading: false,
    now,
  };
}

/** The next state. Pure. Events that are known already are skipped; a batch that is not `fits` throws `SeqGapError`. */
export function step(state: PageState, action: Action): PageState {
  switch (action.type) {
    case 'host':
      return hear(state, action.message);
    case 'draft':
      return { ...state, ...typed(state, action.text, action.caret) };
    case 'write': {
      const { draft, composer } = written(state, action.text, action.caret);
      return { ...state, draft, composer: { ...composer, blank: action.blank ?? null } };
    }
    case 'caret':
      if (action.at === state.composer.caret) return state;
      return { ...state, composer: moved(state.composer, state.draft, action.at) };
    case 'recall':
      return { ...state, ...recalled(state, action.by) };
    case 'menu': {
      const { active, word } = action;
      const { composer } = state;
      return { ...state, composer: active === null ? { ...composer, closed: word } : { ...composer, active } };
    }
    case 'refused':
      return { ...state, composer: { ...state.composer, refused: action.why } };
    case 'option':
      return { ...state, options: { ...state.options, ...action.options } };
    case 'toggle':
      return { ...state, open: { ...state.open, [action.id]: action.open } };
    case 'reply': {
      const { [action.permissionId]: _, ...others } = state.replies;
      return { ...state, replies: action.text === null ? others : { ...others, [action.permissionId]: action.text } };
    }
    case 'form':
      return { ...state, forms: { ...state.forms, [action.permissionId]: action.draft } };
    case 'answered':
      return { ...state, answered: { ...state.answered, [action.permissionId]: true } };
    case 'between':
      return { ...state, between: action.draft };
    case 'note':
      return { ...state, note: action.text };
    case 'remark': {
      const { [action.finding]: _, ...others } = state.remarks;
      return { ...state, remarks: action.remark === null ? others : { ...others, [action.finding]: action.remark } };
    }
    case 'panel':
      return { ...state, panel: action.panel };
    case 'undo':
      return { ...state, panel: 'undo', undo: { asked: action.asked, answer: null } };
    case 'reading':
      if (action.reading === state.reading) return state;
      return unfolded({ ...state, reading: action.reading });
    case 'tick':
      return { ...state, now: action.now };
    default:
      return unreachable(action);
  }
}

/** Whether the message can be folded into what the page has; if not, the page asks anew with `ready`. */
export function fits(state: PageState, message: HostToView): boolean {
  return message.type !== 'batch' || (message.runId === state.runId && message.fromSeq <= state.folded.lastSeq + 1);
}

/** The choices that a run started now would have; null until the host has spoken. */
export function chosenOptions(state: PageState): ComposerOptions | null {
  const { host } = state;
  if (host === null) return null;
  const options = { ...host.defaults, ...state.options };
  // One that was chosen may be closed by now.
  return host.folders.some(({ path }) => path === options.folder) ? options : { ...options, folder: null };
}

function hear(state: PageState, message: HostToView): PageState {
  switch (message.type) {
    case 'reset':
      return {
        ...state,
        runId: message.runId,
        folded: EMPTY_VIEW,
        view: EMPTY_VIEW,
        ...NOTHING_OPEN,
        // What was opened or begun belongs to the run that it was drawn for, also when the page is made anew.
        ...(message.runId === state.of ? {} : NOTHING_OF_RUN),
        of: message.runId,
      };
    case 'batch': {
      const folded = reduce(state.folded, message.events.slice(state.folded.lastSeq + 1 - message.fromSeq));
      // The task stays in the box until its run has begun, so that a start that fails loses nothing.
      const begun = state.folded.run === null && folded.run?.task === state.draft.trim();
      return unfolded({ ...state, folded, view: shown(folded, state.host), draft: begun ? '' : state.draft });
    }
    case 'state':
      return {
        ...state,
        host: message.state,
        view: shown(state.folded, message.state),
        options: ownOptions(state, message.state.defaults),
        defaults: message.state.defaults,
      };
    case 'files':
      return { ...state, composer: { ...state.composer, files: { query: message.query, files: message.files } } };
    case 'tasks':
      return { ...state, composer: { ...state.composer, tasks: message.tasks } };
    case 'images':
      return { ...state, composer: { ...state.composer, images: message.images } };
    case 'undoPreview':
      // Another one may be looked at by now.
      if (state.undo === null || !isSame(state.undo.asked, message.asked)) return state;
      return { ...state, undo: { ...state.undo, answer: message.answer } };
    case 'compose': {
      const { text, caret } = withText(state.draft, state.composer.caret, message.text);
      const { folder } = message;
      // The checks are of the folder.
      const isElsewhere = folder !== null && folder !== state.options.folder;
      const options = isElsewhere ? { ...state.options, folder, checks: null } : state.options;
      return { ...state, ...written(state, text, caret), options };
    }
    default:
      return unreachable(message);
  }
}

/** The choices that settings stand behind. */
const SET = ['executor', 'reviewer', 'rounds', 'permissionMode', 'models'] as const satisfies (keyof ComposerOptions)[];

/** A setting that changes takes the place of the choice made before: whoever changed it meant the next run. */
function ownOptions({ defaults, options }: Saved, now: ComposerOptions): Partial<ComposerOptions> {
  const changed = SET.filter((name) => defaults !== null && !isSame(defaults[name], now[name]));
  return changed.reduce((own: Partial<ComposerOptions>, name) => {
    const { [name]: _, ...others } = own;
    return others;
  }, options);
}

/** Earlier rounds close when a new one begins, unless the person reads up there. */
function unfolded(state: PageState): PageState {
  const newest = state.view.rounds.at(-1)?.number ?? 0;
  const [last, ...others] = state.unfolded.toReversed();
  if (last === newest && (state.reading || others.length === 0)) return state;
  return { ...state, unfolded: state.reading ? [...state.unfolded, newest] : [newest] };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function shown(folded: RunView, host: HostState | null): RunView {
  return host?.interrupted === true && folded.run !== null ? markInterrupted(folded) : folded;
}

function unreachable(value: never): never {
  throw new TypeError(`Not known here: ${JSON.stringify(value)}`);
}
