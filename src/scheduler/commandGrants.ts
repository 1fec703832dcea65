import type { PermissionOption, PermissionRequest } from '../shared/permission.ts';

/** Which command lines of one agent may be started without a further question. */
export interface CommandGrants {
  /** To be told of every allowing answer, with the turn of its request. */
  allowed(turn: number, request: PermissionRequest, option: PermissionOption): void;
  /** Whether exactly this line was allowed: in this turn and not used up yet, or for good. */
  covers(turn: number, line: string): boolean;
  /** It is started: an allowance for once is used up. */
  use(turn: number, line: string): void;
}

/** Whatever reach an agent gives its own "always": for what we start, it is the exact line. */
export function createCommandGrants(): CommandGrants {
  const once = new Map<string, { readonly turn: number; readonly left: number }>();
  const always = new Set<string>();
  const left = (turn: number, line: string) => {
    const known = once.get(line);
    return known?.turn === turn && turn !== 0 ? known.left : 0;
  };
  return {
    allowed(turn, { kind, command }, option) {
      if (kind !== 'execute' || command === undefined) return;
      if (option.kind === 'allow_always') always.add(command);
      else once.set(command, { turn, left: left(turn, command) + 1 });
    },
    covers: (turn, line) => always.has(line) || left(turn, line) > 0,
    use(turn, line) {
      if (!always.has(line)) once.set(line, { turn, left: left(turn, line) - 1 });
    },
  };
}
