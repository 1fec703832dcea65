import type { PermissionPort } from '../scheduler/permissionBroker.ts';
import { withoutKeys } from '../session/redact.ts';
import type { Translate } from '../shared/translate.ts';
import { WITHHELD_OPTIONS, withheldQuestion } from '../shared/withheldWords.ts';
import { type WithheldMarks, withholdSecrets } from './withheld.ts';

/** The two diffs of a review without secrets, and what takes secrets out of everything else that goes with them. */
export interface CleanMaterial {
  readonly runPatch: string;
  readonly roundPatch: string;
  /** Files that something was kept out of. */
  readonly withheld: readonly string[];
  readonly redact: (text: string) => string;
}

/** Keeps secrets out of what a reviewer is sent. */
export interface WithheldGate {
  /**
   * Asks about files that it has not asked about in this run; without an answer they stay out. Known secrets stay out
   * whatever is answered. Never rejects.
   */
  clean(patches: { readonly runPatch: string; readonly roundPatch: string }): Promise<CleanMaterial>;
}

export interface WithheldParts {
  /** Values that are known to be secret. */
  readonly secrets: readonly string[];
  /** The reviewer's name, for the question. */
  readonly reviewer: string;
  readonly marks: WithheldMarks;
  /** Where the loop itself may ask the person. */
  readonly permissions: PermissionPort;
  readonly t: Translate;
  readonly stopped: AbortSignal;
}

/** The gate of one run: what the person allowed holds until its end. */
export function createWithheldGate(parts: WithheldParts): WithheldGate {
  const { secrets, reviewer, marks, permissions, t, stopped } = parts;
  const asked = new Set<string>();
  const sent = new Set<string>();

  return {
    async clean({ runPatch, roundPatch }) {
      const keepOut = (patch: string) => withholdSecrets(patch, secrets, marks, sent);
      const found = [...keepOut(runPatch).files, ...keepOut(roundPatch).files];
      const files = [...new Set(found)].filter((file) => !asked.has(file));
      if (files.length > 0 && !stopped.aborted) {
        const answer = await permissions.request(withheldQuestion(reviewer, files, t), {}, stopped);
        const isSent = answer.outcome === 'selected' && answer.optionId === WITHHELD_OPTIONS.send;
        for (const file of files) {
          asked.add(file);
          if (isSent) sent.add(file);
        }
      }
      const [run, round] = [keepOut(runPatch), keepOut(roundPatch)];
      const values = [...new Set([...secrets, ...run.values, ...round.values])].toSorted((a, b) => b.length - a.length);
      return {
        runPatch: run.patch,
        // A diff that is the other one stays so, and is given once.
        roundPatch: roundPatch === runPatch ? run.patch : round.patch,
        withheld: [...new Set([...run.files, ...round.files])].toSorted(),
        redact: (text) => withoutKeys(text, values),
      };
    },
  };
}
