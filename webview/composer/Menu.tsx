/** @jsxRuntime automatic @jsxImportSource preact */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { linesOf } from '../../src/shared/mentions.ts';
import { Icon } from '../Icon.tsx';
import { t } from '../words.ts';
import type { Choice } from './typing.ts';

/** The id of the list, for the task box that it belongs to. */
export const MENU_ID = 'composer-menu';

/** The id of one choice. */
export function choiceId(index: number): string {
  return `${MENU_ID}-${index}`;
}

interface Props {
  readonly type: Choice['type'];
  readonly choices: readonly Choice[];
  readonly active: number;
  /** What stands in place of choices. */
  readonly nothing: string;
  readonly onPick: (choice: Choice) => void;
}

/** What can stand at the cursor. The focus stays in the task box, which says which choice is the active one. */
export function Menu({ type, choices, active, nothing, onPick }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  });
  // A list without a choice is none.
  if (choices.length === 0)
    return (
      <div id={MENU_ID} class="menu quiet menu-note" role="status">
        {nothing}
      </div>
    );
  return (
    <div
      ref={list}
      id={MENU_ID}
      class="menu"
      role="listbox"
      aria-label={type === 'file' ? t('Files') : t('Commands of the executor')}
    >
      {choices.map((choice, index) => (
        <div
          key={keyOf(choice)}
          id={choiceId(index)}
          class="menu-row"
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          // Before the click takes the focus out of the task box.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(choice)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onPick(choice);
          }}
        >
          <Row choice={choice} />
        </div>
      ))}
    </div>
  );
}

function Row({ choice }: { choice: Choice }) {
  if (choice.type === 'command') {
    const { name, hint, description } = choice.command;
    return (
      <>
        <span class="menu-name">
          /{name}
          {hint !== undefined && <span class="quiet"> {hint}</span>}
        </span>
        {description !== '' && <span class="quiet menu-more">{description}</span>}
      </>
    );
  }
  const { path, lines, open } = choice.file;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
  return (
    <>
      <Icon name={lines === null ? (open ? 'go-to-file' : 'file') : 'list-selection'} tone="quiet" />
      <span class="menu-name">{name}</span>
      <span class="quiet menu-folder">
        {lines === null ? folder : t('selected lines {0}', linesOf(lines))}
        {lines === null && open && <span class="sr-only"> {t('open in an editor')}</span>}
      </span>
    </>
  );
}

function keyOf(choice: Choice): string {
  if (choice.type === 'command') return choice.command.name;
  return `${choice.file.path} ${choice.file.lines === null ? '' : 'selected'}`;
}
