import type { PermissionOption, PermissionRequest, Role } from '../shared/events.ts';

/**
 * Which files a role may write through us without a further question. An agent may leave its question out and write all
 * the same (acp-02d-permission-bypass), so what was allowed is kept here.
 */
export interface WriteGrants {
  /** To be told of every allowing answer, with the turn of its request. */
  allowed(role: Role, turn: number, request: PermissionRequest, option: PermissionOption): void;
  /** Whether a write of this resolved path was allowed in this turn, or edits of the folder for good. */
  covers(role: Role, turn: number, path: string): boolean;
}

export interface WriteGrantsOptions {
  /** Resolves `..` and links of an absolute path, also of one that does not exist yet. */
  readonly resolvePath: (path: string) => string;
  /** Whether an edit of this path needs no question of its own where edits are allowed; see `isOpenPath`. */
  readonly isOpen: (path: string) => boolean;
}

export function createWriteGrants({ resolvePath, isOpen }: WriteGrantsOptions): WriteGrants {
  const granted = new Map<Role, { readonly turn: number; readonly paths: Set<string> }>();
  const always = new Set<Role>();

  return {
    allowed(role, turn, request, option) {
      if (request.kind !== 'edit' && request.kind !== 'delete' && request.kind !== 'move') return;
      // Gemini CLI takes "always" for every edit of the session and does not ask again (acp-26d-edit-always).
      if (option.kind === 'allow_always' && request.kind === 'edit') always.add(role);
      const known = granted.get(role);
      const ofTurn = known?.turn === turn ? known : { turn, paths: new Set<string>() };
      for (const path of request.paths) ofTurn.paths.add(resolvePath(path));
      granted.set(role, ofTurn);
    },
    covers(role, turn, path) {
      if (turn === 0) return false;
      const known = granted.get(role);
      if (known?.turn === turn && known.paths.has(path)) return true;
      return always.has(role) && isOpen(path);
    },
  };
}
