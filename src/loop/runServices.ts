import type { SignInQuestion } from '../agent/agent.ts';
import type { ClientServices } from '../scheduler/clientServices.ts';
import type { CommandGrants } from '../scheduler/commandGrants.ts';
import { createFileRequests } from '../scheduler/fileRequests.ts';
import type { FileService } from '../scheduler/fileService.ts';
import type { PermissionPort } from '../scheduler/permissionBroker.ts';
import { isOpenPath, type PolicyDecision } from '../scheduler/policy.ts';
import type { Permit, Scheduler } from '../scheduler/scheduler.ts';
import { createTerminalRequests } from '../scheduler/terminalRequests.ts';
import type { TerminalService } from '../scheduler/terminalService.ts';
import type { WriteGrants } from '../scheduler/writeGrants.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { Translate } from '../shared/translate.ts';
import { isInside } from '../workspace/isInside.ts';
import { resolvePath } from '../workspace/resolvePath.ts';
import { foldsCase } from '../workspace/roots.ts';
import type { UnsavedFiles } from './unsavedFiles.ts';

/** What a face serves to the agents of a run. A part that is null is not offered to them. */
export interface RunServices {
  readonly files: FileService | null;
  /** The unsaved files of the face's editors; null where there are no editors. */
  readonly unsaved: UnsavedFiles | null;
  /** Says in the person's language what we have to say to them. Absent: in English. */
  readonly translate?: Translate;
  /** The language that it speaks, such as `zh-cn` or `de_DE.UTF-8`. Absent: not known. */
  readonly locale?: string;
  /** Asks for the consent to a sign-in while the agents start; null: it is not given. Absent: nobody is there. */
  readonly askSignIn?: (question: SignInQuestion) => Promise<string | null>;
}

export interface ServiceParts {
  /** Absolute, links resolved. */
  readonly folder: string;
  readonly files: FileService | null;
  readonly scheduler: Scheduler;
  readonly grants: WriteGrants;
  readonly terminals: TerminalService;
  readonly commandGrants: CommandGrants;
  /** Numbers the terminals of the run. */
  readonly nextTerminalId: () => string;
  /** Calls back once after `ms`; the result takes it back. */
  readonly after: (ms: number, callback: () => void) => () => void;
  readonly permissions: PermissionPort;
  readonly decide: (role: Role, request: PermissionRequest) => PolicyDecision;
  readonly turnOf: (role: Role) => number;
  readonly append: (body: LoopEventBody) => void;
}

/** What one agent may ask of us. Throws `FileRefused` when the folder cannot be opened. */
export function createClientServices(role: Role, parts: ServiceParts): ClientServices {
  const { folder, files, scheduler, grants, permissions, decide, turnOf, append } = parts;
  const place = { folder, resolvePath, caseInsensitive: foldsCase() };

  const mayWrite = (located: string, request: PermissionRequest): boolean => {
    if (grants.covers(role, turnOf(role), located)) return true;
    const decision = decide(role, request);
    if (decision.type === 'ask') return grants.coversEdits(role) && isOpenPath(located, place);
    return allows(request, decision);
  };
  const decideCommand = (request: PermissionRequest): Permit | null => {
    const decision = decide(role, request);
    if (decision.type === 'ask') return null;
    if (allows(request, decision)) return { type: 'granted', byPerson: false };
    const { answer, why } = decision;
    // The agent is told it too, in its words.
    return { type: 'refused', why: (answer.outcome === 'selected' ? answer.message : undefined) ?? why };
  };
  const session = files?.open(folder) ?? null;

  return {
    files:
      session === null
        ? null
        : createFileRequests({
            role,
            files: session,
            scheduler,
            permissions,
            folder,
            turn: () => turnOf(role),
            mayWrite,
            foldsCase: place.caseInsensitive,
            append,
          }),
    terminals:
      role === 'review'
        ? null
        : createTerminalRequests({
            role,
            folder,
            locate: (path) => session?.locate(path) ?? insideFolder(path, folder),
            service: parts.terminals,
            scheduler,
            permissions,
            grants: parts.commandGrants,
            decide: decideCommand,
            turn: () => turnOf(role),
            nextId: parts.nextTerminalId,
            after: parts.after,
            append,
          }),
  };
}

function allows(request: PermissionRequest, { answer }: Extract<PolicyDecision, { readonly type: 'answer' }>): boolean {
  if (answer.outcome !== 'selected') return false;
  const option = request.options.find(({ optionId }) => optionId === answer.optionId);
  return option?.kind === 'allow_once' || option?.kind === 'allow_always';
}

function insideFolder(path: string, folder: string): string {
  const located = resolvePath(path);
  if (located === folder || isInside(located, folder)) return located;
  throw new Error(`${path} lies outside the folder of the run.`);
}
