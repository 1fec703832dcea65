import { type AgentFacts, type DoctorFacts, diagnose, diagnoseMissing } from '../agent/doctor.ts';
import type { DoctorCard, DoctorReport } from '../shared/doctor.ts';
import type { Translate } from '../shared/translate.ts';

/** What a check works with. */
export interface SetupCheckParts {
  /** Starts both agents once, where that may be. */
  readonly examine: () => Promise<DoctorFacts>;
  /** Which of the two chosen agents' programs are missing. Starts neither. */
  readonly missing: () => Promise<readonly AgentFacts[]>;
  readonly t: Translate;
}

/** The doctor of one window, and the card that the view shows of it. */
export interface SetupCheck {
  /** As the parts give it, beside the card. */
  readonly examine: SetupCheckParts['examine'];
  /** Null: none is shown. */
  readonly card: DoctorCard | null;
  /** Shows the card when a program is missing, and takes it back once none is. A full check that is shown stays. */
  glance(): Promise<void>;
  /** Looks at everything. A second call while one is under way waits for that one. */
  check(): Promise<DoctorReport>;
  close(): void;
  onDidChange(listener: () => void): () => void;
}

export function createSetupCheck({ examine, missing, t }: SetupCheckParts): SetupCheck {
  const listeners = new Set<() => void>();
  let card: DoctorCard | null = null;
  /** The card is of a glance: it goes by itself. */
  let glanced = false;
  let checking: Promise<DoctorReport> | null = null;
  let glances = 0;

  const show = (next: DoctorCard | null): void => {
    card = next;
    for (const listener of listeners) listener();
  };
  const work = async (): Promise<DoctorReport> => {
    glanced = false;
    show({ report: card?.report ?? null, checking: true });
    try {
      const report = diagnose(await examine(), t);
      show({ report, checking: false });
      return report;
    } catch (error) {
      show(null);
      throw error;
    } finally {
      checking = null;
    }
  };

  return {
    examine,
    get card() {
      return card;
    },
    async glance() {
      if (card !== null && !glanced) return;
      glances += 1;
      const turn = glances;
      const found = await missing();
      // One that began later knows better, such as of a setting that was changed meanwhile.
      if (turn !== glances || (card !== null && !glanced)) return;
      if (found.length === 0) {
        if (card !== null) show(null);
        return;
      }
      glanced = true;
      show({ report: diagnoseMissing(found, t), checking: false });
    },
    check() {
      checking ??= work();
      return checking;
    },
    close() {
      if (card !== null && checking === null) show(null);
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
