import type { AgentEvent } from '../shared/agentEvents.ts';
import type { HistoryEntry } from './agent.ts';
import type { AcpReader } from './deriveAcp.ts';

interface ReplayParts {
  readonly reader: Pick<AcpReader, 'beginReplay' | 'endReplay'>;
  readonly after: (ms: number, callback: () => void) => () => void;
  /** How long after the answer the commands are waited for, which end a replay that goes on. */
  readonly replayMs: number;
}

/** What an agent tells of the past when it loads a session. */
export interface Replay {
  /** From now on the past is told. The result ends that, after the answer; with `loaded` false there was an error. */
  begin(endsWithCommands: boolean): (loaded: boolean) => Promise<readonly HistoryEntry[]>;
  /** Every update goes through here, so that the end is seen. */
  saw(events: readonly AgentEvent[]): void;
}

/** A replay ends with the answer of `session/load`, or for agents that go on with the commands, told after it (acp-13c-load-later-2n). */
export function createReplay({ reader, after, replayMs }: ReplayParts): Replay {
  let ended = (): void => undefined;
  return {
    begin(endsWithCommands) {
      reader.beginReplay();
      const commands = new Promise<void>((resolve) => {
        ended = resolve;
      });
      return async (loaded) => {
        if (loaded && endsWithCommands) {
          let takeBack = (): void => undefined;
          const late = new Promise<void>((resolve) => {
            takeBack = after(replayMs, resolve);
          });
          await Promise.race([commands, late]);
          takeBack();
        }
        return reader.endReplay();
      };
    },
    saw(events) {
      if (events.some(({ type }) => type === 'commands.updated')) ended();
    },
  };
}
