/** @jsxRuntime automatic @jsxImportSource preact */
import { useRef } from 'preact/hooks';
import { commandProblem } from '../../src/shared/checkWords.ts';
import type { FoundCheck } from '../../src/shared/messages.ts';
import type { CheckRequest } from '../../src/shared/roundEvents.ts';
import { Icon } from '../Icon.tsx';
import { t } from '../words.ts';
import type { ChipsProps } from './Chip.tsx';

/** The checks of the next run: those of the folder, on or off, and the person's own. */
export function ChecksChip({ options, host, choose }: ChipsProps) {
  const box = useRef<HTMLInputElement>(null);
  const folder = options.folder ?? host.folders[0]?.path;
  if (folder === undefined || !host.trusted) return null;
  const found = host.checks[folder] ?? [];
  // As the run itself: what is found has nothing to say where nothing is written.
  const usual = found.filter(({ source }) => source === 'settings' || options.permissionMode !== 'read-only');
  const chosen: readonly CheckRequest[] = options.checks ?? usual;
  const own = chosen.filter(({ command }) => !found.some((one) => one.command === command));
  const set = (checks: readonly CheckRequest[]) => {
    const wanted = checks.map(({ command, source }) => ({ command, source }));
    choose({ checks: sameCommands(wanted, usual) ? null : wanted });
  };
  const without = (command: string) => chosen.filter((one) => one.command !== command);
  const add = () => {
    const input = box.current;
    if (input === null) return;
    const command = input.value.trim();
    input.setCustomValidity(commandProblem(command, t) ?? '');
    if (!input.reportValidity()) return;
    input.value = '';
    set([...without(command), { command, source: 'typed' }]);
  };
  return (
    <details class="checks">
      <summary class="chip" title={chosen.map(({ command }) => command).join('\n') || undefined}>
        <Icon name="beaker" />
        <span class="sr-only">{t('Checks')}: </span>
        <span class="checks-chosen">{chosenWords(chosen)}</span>
        <Icon name="chevron-down" />
      </summary>
      <p class="quiet hint">
        {t('Run between work and review. What fails is not approved, and the reviewer sees the result.')}
      </p>
      <ul aria-label={t('Checks')}>
        {[...found, ...own].map((check) => {
          const { command, source } = check;
          const on = chosen.some((one) => one.command === command);
          return (
            <li key={command}>
              <label class="grow">
                <input
                  type="checkbox"
                  checked={on}
                  onChange={() => set(on ? without(command) : [...chosen, { command, source }])}
                />
                <code>{command}</code>
                <span class="quiet">{stateWords(check)}</span>
              </label>
              <button
                type="button"
                class="icon-button"
                title={t('Edit')}
                aria-label={t('Edit {0}', command)}
                onClick={() => {
                  if (box.current === null) return;
                  box.current.value = command;
                  box.current.focus();
                  set(without(command));
                }}
              >
                <Icon name="edit" />
              </button>
            </li>
          );
        })}
      </ul>
      <div class="checks-add">
        <input
          ref={box}
          type="text"
          class="grow"
          spellcheck={false}
          aria-label={t('Another check')}
          placeholder={t('Another check, such as npm test')}
          onInput={(event) => event.currentTarget.setCustomValidity('')}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            add();
          }}
        />
        <button type="button" onClick={add}>
          {t('Add')}
        </button>
      </div>
    </details>
  );
}

function chosenWords(chosen: readonly CheckRequest[]): string {
  const [first, ...others] = chosen;
  if (first === undefined) return t('No checks');
  return others.length === 0 ? first.command : t('{0} checks', chosen.length);
}

function stateWords(check: CheckRequest | FoundCheck): string {
  if (check.source === 'typed') return t('yours');
  return 'confirmed' in check && check.confirmed ? t('confirmed') : t('asks before it runs here for the first time');
}

function sameCommands(one: readonly CheckRequest[], other: readonly CheckRequest[]): boolean {
  const texts = (checks: readonly CheckRequest[]) => JSON.stringify(checks.map(({ command }) => command).toSorted());
  return texts(one) === texts(other) && one.every(({ source }) => source !== 'typed');
}
