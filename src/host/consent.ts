import type { Memento } from 'vscode';
import { companyOf } from '../agent/catalog.ts';
import type { HostState } from '../shared/messages.ts';

const KEY = 'cgloop.toldWhoReceives';

/** Catalog ids. */
type Agents = NonNullable<HostState['consent']['asked']>;

/** Whether the person of this installation knows which company receives what, and the run that waits until they do. */
export interface Consent {
  readonly state: HostState['consent'];
  /** Whether nothing is to be asked for these agents. */
  covers(agents: Agents): boolean;
  /** Starts at once where it is known, or nothing leaves the machine; else when the person has said so, and only the last one asked for. */
  ask(agents: Agents, start: () => Promise<void>): Promise<void>;
  /** `known`: the person has read it, and what waits is started; else it is dropped. */
  settle(known: boolean): Promise<void>;
  onDidChange(listener: () => void): () => void;
}

/** `memory` outlives the window, and knows all windows of the installation. */
export function createConsent(memory: Pick<Memento, 'get' | 'update'>): Consent {
  const listeners = new Set<() => void>();
  let waiting: { readonly asked: Agents; readonly start: () => Promise<void> } | null = null;
  const isTold = (): boolean => memory.get<boolean>(KEY) === true;
  const covers = ({ executor, reviewer }: Agents): boolean =>
    isTold() || [executor, reviewer].every((id) => companyOf(id) === '');
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  return {
    get state() {
      return { told: isTold(), asked: waiting?.asked ?? null };
    },
    covers,
    async ask({ executor, reviewer }, start) {
      if (covers({ executor, reviewer })) return start();
      waiting = { asked: { executor, reviewer }, start };
      tell();
    },
    async settle(known) {
      const start = waiting?.start;
      waiting = null;
      if (known) await memory.update(KEY, true);
      tell();
      if (known) await start?.();
    },
    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
