/** @jsxRuntime automatic @jsxImportSource preact */
import type { TargetedEvent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { AgentCommand } from '../../src/shared/agentEvents.ts';
import type { Page } from '../state.ts';
import { t } from '../words.ts';
import { choiceId, MENU_ID, Menu } from './Menu.tsx';
import { type ComposerState, recallsDown, recallsUp } from './state.ts';
import { type Taker, takeFiles } from './takeFiles.ts';
import { type Choice, commandChoices, type Trigger, triggerAt, withChoice } from './typing.ts';

interface Props {
  readonly draft: string;
  readonly composer: ComposerState;
  /** Absolute; null: the first one that is open. */
  readonly folder: string | null;
  /** Those of the executor, as far as it has told them. */
  readonly commands: readonly AgentCommand[];
  readonly taker: Taker;
  readonly page: Page;
  /** The person is about to write a task. */
  readonly onBegin: () => void;
  readonly onRun: () => void;
}

/** Addresses of files, as VS Code's own lists and file managers drop them. */
const URI_LISTS = ['application/vnd.code.uri-list', 'text/uri-list'] as const;

/** Where the task is written. `@` completes files, `/` the executor's commands; images are pasted and dropped. */
export function TaskBox({ draft, composer, folder, commands, taker, page, onBegin, onRun }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const { place, active, closed, caret } = composer;
  useLayoutEffect(() => {
    if (place === null) return;
    box.current?.focus();
    box.current?.setSelectionRange(place.at, place.at);
  }, [place]);

  const word = triggerAt(draft, caret);
  const trigger = word !== null && word.from !== closed ? word : null;
  const choices = trigger === null ? [] : choicesFor(trigger, composer, commands);
  const isOpen = trigger !== null && (choices.length > 0 || nothingWords(trigger, commands) !== '');
  const chosen = choices[Math.min(active, choices.length - 1)];

  const asked = useRef<string | null>(null);
  const query = trigger?.type === 'file' ? trigger.query : null;
  useLayoutEffect(() => {
    if (query !== null && query !== asked.current) {
      page.post({ type: 'complete', query, folder, anew: asked.current === null });
    }
    asked.current = query;
  }, [query, folder, page]);

  const tellCaret = ({ currentTarget }: TargetedEvent<HTMLTextAreaElement>) =>
    page.dispatch({ type: 'caret', at: currentTarget.selectionStart });
  const pick = (choice: Choice) => {
    if (trigger === null) return;
    const { text, caret: at } = withChoice(draft, trigger, choice);
    page.dispatch({ type: 'write', text, caret: at, ...(choice.type === 'file' ? { blank: at - 1 } : {}) });
  };
  const go = (by: number) => {
    if (trigger === null || choices.length === 0) return;
    const next = (Math.min(active, choices.length - 1) + by + choices.length) % choices.length;
    page.dispatch({ type: 'menu', active: next, word: trigger.from });
  };
  /** Whether the key was the menu's. */
  const menuKey = (key: string): boolean => {
    if (trigger === null || !isOpen) return false;
    if (key === 'Escape') {
      page.dispatch({ type: 'menu', active: null, word: trigger.from });
      return true;
    }
    if (chosen === undefined) return false;
    if (key === 'ArrowDown' || key === 'ArrowUp') go(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter' || key === 'Tab') pick(chosen);
    else return false;
    return true;
  };
  const recallKey = (key: string, area: HTMLTextAreaElement): boolean => {
    if (area.selectionStart !== area.selectionEnd) return false;
    const at = area.selectionStart;
    const isUp = key === 'ArrowUp' && recallsUp(draft, at, composer);
    if (!isUp && !(key === 'ArrowDown' && recallsDown(draft, at, composer))) return false;
    page.dispatch({ type: 'recall', by: isUp ? -1 : 1 });
    return true;
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop onto; every drop has a key that does the same
    <div
      class="task-box"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const { dataTransfer } = event;
        if (dataTransfer === null) return;
        const uris = urisIn(dataTransfer);
        if (uris.length > 0) page.post({ type: 'dropped', uris });
        else void takeFiles([...dataTransfer.files], taker);
      }}
    >
      {isOpen && trigger !== null && (
        <Menu
          type={trigger.type}
          choices={choices}
          active={Math.min(active, choices.length - 1)}
          nothing={nothingWords(trigger, commands)}
          onPick={pick}
        />
      )}
      <textarea
        ref={box}
        rows={2}
        value={draft}
        aria-label={t('Task')}
        aria-autocomplete="list"
        aria-controls={isOpen ? MENU_ID : undefined}
        aria-activedescendant={
          isOpen && chosen !== undefined ? choiceId(Math.min(active, choices.length - 1)) : undefined
        }
        placeholder={t('What is to be done? @ names files, / lists commands.')}
        onFocus={() => {
          onBegin();
          page.post({ type: 'askTasks' });
        }}
        onInput={({ currentTarget: { value, selectionStart } }) => {
          if (draft === '') onBegin();
          page.dispatch({ type: 'draft', text: value, caret: selectionStart });
        }}
        onKeyUp={tellCaret}
        onClick={tellCaret}
        onPaste={(event) => {
          const { clipboardData } = event;
          // A copied table is a text and a picture of itself: the text is meant.
          if (clipboardData === null || clipboardData.types.includes('text/plain')) return;
          if (clipboardData.files.length === 0) return;
          event.preventDefault();
          void takeFiles([...clipboardData.files], taker);
        }}
        onKeyDown={(event) => {
          const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
          if (event.isComposing) return;
          if (key === 'Enter' && (ctrlKey || metaKey)) {
            event.preventDefault();
            onRun();
            return;
          }
          if (ctrlKey || metaKey || shiftKey || altKey) return;
          if (menuKey(key) || recallKey(key, event.currentTarget)) event.preventDefault();
        }}
      />
    </div>
  );
}

function choicesFor(trigger: Trigger, { files }: ComposerState, commands: readonly AgentCommand[]): Choice[] {
  if (trigger.type === 'command') return commandChoices(trigger.query, commands);
  // Until the answer for this word comes, that for the one before stands.
  return (files?.files ?? []).map((file) => ({ type: 'file', file }));
}

/** What is said in place of choices; empty: no menu is opened. */
function nothingWords(trigger: Trigger, commands: readonly AgentCommand[]): string {
  if (trigger.type !== 'command' || commands.length > 0 || trigger.query !== '') return '';
  return t('The executor tells its commands once it has started. Until then, type them in full.');
}

function urisIn(data: DataTransfer): string[] {
  for (const type of URI_LISTS) {
    const lines = data.getData(type).split(/\r?\n/);
    const uris = lines.filter((line) => line !== '' && !line.startsWith('#'));
    if (uris.length > 0) return uris;
  }
  return [];
}
