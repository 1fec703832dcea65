import type { Role } from '../shared/agentEvents.ts';
import type { PermissionOption, PermissionRequest } from '../shared/permission.ts';
import { whereTo } from './rules.ts';

/**
 * Which files a role may write through us without a further question. An agent may leave its question out and write all
 * the same (acp-02d-permission-bypass), so what was allowed is kept here.
 */
export interface WriteGrants {
  /** To be told of every allowing answer, with the turn of its request. */
  allowed(role: Role, turn: number, request: PermissionRequest, option: PermissionOption): void;
  /** Whether the write of this resolved path was allowed in this turn. */
  covers(role: Role, turn: number, path: string): boolean;
  /** Whether edits were allowed for good: the agent does not ask for them any more. */
  coversEdits(role: Role): boolean;
}

/** `resolvePath`: resolves `..` and links of an absolute path, also of one that does not exist yet. It may throw: such a path is granted to nobody. */
export function createWriteGrants(resolvePath: (path: string) => string): WriteGrants {
  const granted = new Map<Role, { readonly turn: number; readonly paths: Set<string> }>();
  const always = new Set<Role>();

  return {
    allowed(role, turn, request, option) {
      if (request.kind !== 'edit' && request.kind !== 'delete' && request.kind !== 'move') return;
      // Gemini CLI takes "always" for every edit of the session and does not ask again (acp-26d-edit-always).
      if (option.kind === 'allow_always' && request.kind === 'edit') always.add(role);
      const known = granted.get(role);
      const ofTurn = known?.turn === turn ? known : { turn, paths: new Set<string>() };
      for (const path of request.paths) {
        const led = whereTo(path, { resolvePath });
        if (led !== null) ofTurn.paths.add(led);
      }
      granted.set(role, ofTurn);
    },
    covers(role, turn, path) {
      const known = granted.get(role);
      return turn !== 0 && known?.turn === turn && known.paths.has(path);
    },
    coversEdits: (role) => always.has(role),
  };
}
