import type { PermissionAnswer } from '../shared/permission.ts';
import { questionOf } from '../shared/questionWords.ts';
import type { Translate } from '../shared/translate.ts';
import { pendingAnswer } from './pendingAnswer.ts';
import type { WaitingRequest } from './runDeck.ts';
import { nameOf } from './words.ts';

/** What the notifications work with. */
export interface NotifierParts {
  readonly waiting: () => readonly WaitingRequest[];
  /** The runs that wait between two rounds; `since`: of this pause, milliseconds since the epoch. */
  readonly pauses: () => readonly { readonly runId: string; readonly since: number; readonly task: string }[];
  /** Whether the person can see the questions of this run without doing anything. */
  readonly isVisible: (runId: string) => boolean;
  /** Shows one notification with buttons; settles with the word of the button, or undefined when it was closed. */
  readonly ask: (text: string, buttons: readonly string[]) => Promise<string | undefined>;
  readonly tell: (text: string) => void;
  readonly answer: (request: WaitingRequest, answer: PermissionAnswer) => Promise<boolean>;
  readonly show: (runId: string) => Promise<void>;
  readonly onFault: (error: unknown) => void;
  readonly t: Translate;
}

/**
 * Tells of questions that the person cannot see, each once, and never more than one at a time: VS Code cannot take a
 * notification back, so that an open one may have been overtaken, and its click then says so.
 */
export interface Notifier {
  /** Questions or what is visible have changed. */
  changed(): void;
}

export function createNotifier(parts: NotifierParts): Notifier {
  const { t } = parts;
  const told = new Set<string>();
  let isOpen = false;

  const keyOf = ({ runId, item }: WaitingRequest) => `${runId} ${item.permissionId}`;
  const pauseKeyOf = ({ runId, since }: { readonly runId: string; readonly since: number }) =>
    `${runId} paused ${since}`;
  const isWaiting = (request: WaitingRequest) => parts.waiting().some((one) => keyOf(one) === keyOf(request));

  async function notify(request: WaitingRequest): Promise<void> {
    const { runId, item } = request;
    const buttons = new Map<string, () => Promise<void>>();
    const answerWith = (word: string, answer: PermissionAnswer | null) => {
      if (answer === null) return;
      buttons.set(word, async () => {
        if (!(await parts.answer(request, answer))) parts.tell(t('This was already answered.'));
      });
    };
    if (fitsOn(item.request.command)) answerWith(t('Allow'), pendingAnswer(item, 'approve'));
    if (buttons.size === 0) {
      buttons.set(t('Show'), async () => {
        if (!isWaiting(request)) parts.tell(t('This was already answered.'));
        await parts.show(runId);
      });
    }
    answerWith(t('Deny'), pendingAnswer(item, 'deny'));
    const picked = await parts.ask(notificationText(request, t), [...buttons.keys()]);
    if (picked !== undefined) await buttons.get(picked)?.();
  }

  async function tellPause(runId: string, task: string): Promise<void> {
    const show = t('Show');
    const picked = await parts.ask(t('The run waits for you between two rounds: {0}', task), [show]);
    if (picked === show) await parts.show(runId);
  }

  const changed = (): void => {
    if (isOpen) return;
    const waiting = parts.waiting();
    const pauses = parts.pauses();
    const keys = new Set([...waiting.map(keyOf), ...pauses.map(pauseKeyOf)]);
    for (const key of told) if (!keys.has(key)) told.delete(key);
    const request = waiting.find((one) => !told.has(keyOf(one)) && !parts.isVisible(one.runId));
    if (request !== undefined) {
      told.add(keyOf(request));
      open(notify(request));
      return;
    }
    const pause = pauses.find((one) => !told.has(pauseKeyOf(one)) && !parts.isVisible(one.runId));
    if (pause === undefined) return;
    told.add(pauseKeyOf(pause));
    open(tellPause(pause.runId, pause.task));
  };
  const open = (work: Promise<void>): void => {
    isOpen = true;
    void work.catch(parts.onFault).finally(() => {
      isOpen = false;
      changed();
    });
  };
  return { changed };
}

/** The question, and the whole command where it fits. */
export function notificationText({ view, item }: WaitingRequest, t: Translate): string {
  const name = nameOf(view.agents[item.role], t);
  const { command } = item.request;
  if (command !== undefined && fitsOn(command)) return t('{0} wants to run: {1}', name, command);
  return questionOf(item, name, view.run?.folder ?? '', t);
}

const MOST_CHARACTERS = 120;

/**
 * Whether a notification, or a row of a list, shows this command whole and as it stands: one short line, without anything
 * that VS Code would draw as a link or an icon, that a reader would not see, or of which blanks would be lost.
 */
export function fitsOn(command: string | undefined): boolean {
  if (command === undefined || command === '' || command.length > MOST_CHARACTERS) return false;
  return !/[\p{C}\p{Zl}\p{Zp}]|\s\s|^\s|\s$|(?! )\p{Z}|\]\(|\$\(\w[\w-]*(?:~\w+)?\)/u.test(command);
}
