import { addConfirmed, readConfirmed } from '../session/checkFile.ts';
import { CHECK_OPTIONS, checkQuestion } from '../shared/checkWords.ts';
import { errorText } from '../shared/errors.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { CheckChange, CheckRequest } from '../shared/roundEvents.ts';
import type { Translate, Words } from '../shared/translate.ts';
import { changesBetween, type Definition, digestOf } from '../workspace/checks/definition.ts';

/** What a run may do with a check. */
export type Consent =
  | { readonly type: 'run' }
  /** It runs, and passing proves nothing: what it runs is other than what was confirmed, and nobody was there to be asked. */
  | { readonly type: 'runUnproved'; readonly files: readonly string[] }
  /** `why` for people, and for the reviewer. */
  | { readonly type: 'skip'; readonly why: Words };

/** Who says which check may run: the person, once for each exact text in a folder, and again when what it runs changed. */
export interface CheckConsent {
  /** `removed`: test files that are gone since the consent was given last. Never rejects. */
  ask(check: CheckRequest, definition: Definition, removed: readonly string[]): Promise<Consent>;
}

export interface ConsentParts {
  /** Absolute, links resolved: what is confirmed is confirmed for it. */
  readonly folder: string;
  readonly stateFolder: string;
  readonly interactive: boolean;
  /** Asks the person; the id of the option, null when nobody answered. */
  readonly ask: (request: PermissionRequest) => Promise<string | null>;
  readonly t: Translate;
  /** Something about the stored answers that the person should know. */
  readonly warn: (text: string) => void;
}

interface Known {
  /** As it was when the person last let it run. */
  readonly definition: Definition;
  /** Every definition that was let run in this run, by its digest. */
  readonly confirmed: ReadonlySet<string>;
  /** The person skipped it: that holds for the run. */
  readonly skipped: boolean;
}

/** The consents of one run. What was typed by the person is confirmed as it stands when it is asked for first. */
export function createCheckConsent({ folder, stateFolder, interactive, ask, t, warn }: ConsentParts): CheckConsent {
  const known = new Map<string, Known>();

  const confirm = (command: string, definition: Definition): void => {
    const confirmed = new Set(known.get(command)?.confirmed).add(digestOf(definition));
    known.set(command, { definition, confirmed, skipped: false });
  };

  const stored = async (command: string, definition: Definition): Promise<boolean> => {
    try {
      const digest = digestOf(definition);
      const all = await readConfirmed(stateFolder, folder);
      return all.some((one) => one.command === command && one.definition === digest);
    } catch (error) {
      warn(t('No check counts as confirmed. {0}', errorText(error)));
      return false;
    }
  };

  const askPerson = async (
    command: string,
    definition: Definition,
    changes: readonly CheckChange[],
  ): Promise<Consent> => {
    const answer = await ask(checkQuestion(command, definition.texts, changes, t));
    const may = answer === CHECK_OPTIONS.once || answer === CHECK_OPTIONS.always;
    if (may) confirm(command, definition);
    else known.set(command, { definition, confirmed: new Set(), skipped: true });
    if (answer === CHECK_OPTIONS.always) {
      await addConfirmed(stateFolder, folder, { command, definition: digestOf(definition) }).catch((error: unknown) =>
        warn(t('The check is confirmed for this run, but that could not be stored: {0}', errorText(error))),
      );
    }
    return may ? { type: 'run' } : SKIPPED;
  };

  return {
    async ask({ command, source }, definition, removed) {
      const before = known.get(command);
      if (before === undefined) {
        if (source === 'typed' || (await stored(command, definition))) {
          confirm(command, definition);
          return { type: 'run' };
        }
        return interactive ? askPerson(command, definition, []) : { type: 'skip', why: NOBODY };
      }
      if (before.skipped) return SKIPPED;
      const isConfirmed = before.confirmed.has(digestOf(definition));
      const changes = isConfirmed ? [] : changesBetween(command, before.definition, definition);
      const files = changes.flatMap((change) => (change.type === 'definition' ? [change.file] : []));
      if (!interactive) return files.length === 0 ? { type: 'run' } : { type: 'runUnproved', files };
      const gone: readonly CheckChange[] = removed.length === 0 ? [] : [{ type: 'testsRemoved', files: removed }];
      return changes.length + gone.length === 0
        ? { type: 'run' }
        : askPerson(command, definition, [...changes, ...gone]);
    },
  };
}

const SKIPPED: Consent = { type: 'skip', why: (t) => t('You skipped it in this run.') };
const NOBODY: Words = (t) =>
  t(
    'Nobody has confirmed it for this folder, and nobody is there to be asked. Name it with --check, or confirm it once in a run on a terminal.',
  );
