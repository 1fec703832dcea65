import path from 'node:path';
import type { ReadTextFileParams, WriteTextFileParams } from '../protocol/acp.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { FileProblem } from '../shared/fileEvents.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { WireObject } from '../shared/wire.ts';
import { FileRefused, type FileSession, type LineWindow } from './fileService.ts';
import type { PermissionPort } from './permissionBroker.ts';
import { type Permit, type Scheduler, WorkEnded } from './scheduler.ts';
import type { ServiceAnswer } from './serviceAnswer.ts';

/** `fs/*` of one agent. Each request is one `file.served` of the log, and those that are refused say why. */
export interface FileRequests {
  read(params: ReadTextFileParams, withdrawn: AbortSignal): Promise<ServiceAnswer<{ readonly content: string }>>;
  /** `wire`: the parameters as they came, for the question where one has to be asked. */
  write(params: WriteTextFileParams, wire: WireObject, withdrawn: AbortSignal): Promise<ServiceAnswer<null>>;
}

export interface FileRequestsOptions {
  readonly role: Role;
  readonly files: FileSession;
  readonly scheduler: Scheduler;
  readonly permissions: PermissionPort;
  /** Of the run; what lies in it is named by its path from there. */
  readonly folder: string;
  /** The turn that the role is in, 0 outside of one. */
  readonly turn: () => number;
  /** Whether a write of this one resolved path needs no question (any more). */
  readonly mayWrite: (located: string, request: PermissionRequest) => boolean;
  /** Names that differ by case only name one file. */
  readonly foldsCase: boolean;
  readonly append: (body: Extract<LoopEventBody, { readonly type: 'file.served' }>) => void;
}

const READ = 'fs/read_text_file';
const WRITE = 'fs/write_text_file';
const ALLOW = 'allow';
const PERSON = { type: 'granted', byPerson: true } as const satisfies Permit;

/** Serves an agent's files: reads together, writes alone, each write only when it was allowed. */
export function createFileRequests(options: FileRequestsOptions): FileRequests {
  const { role, files, scheduler, permissions, folder, turn, mayWrite, append } = options;
  let questions = 0;

  const served = (operation: 'read' | 'write', named: string, bytes: number, result: 'editor' | 'disk' | FileProblem) =>
    append({ type: 'file.served', turn: turn(), role, path: named, operation, bytes, result });

  /** What the request holds: nothing for a path that cannot be followed, since it is going to be refused. */
  const demandOf = (named: string, exclusive: boolean) => {
    try {
      const located = files.locate(named);
      return { exclusive, path: options.foldsCase ? located.toLowerCase() : located };
    } catch {
      return { exclusive };
    }
  };

  async function answered<T>(
    operation: 'read' | 'write',
    named: string,
    work: () => Promise<T>,
  ): Promise<ServiceAnswer<T>> {
    try {
      return { type: 'result', value: await work() };
    } catch (error) {
      if (error instanceof FileRefused) {
        served(operation, named, 0, error.problem);
        const { problem, message } = error;
        return { type: 'refused', kind: problem === 'missing' || problem === 'invalid' ? problem : 'failed', message };
      }
      served(operation, named, 0, error instanceof WorkEnded ? 'notAllowed' : 'failed');
      if (!(error instanceof WorkEnded)) throw error;
      return { type: 'refused', kind: error.reason === 'stopped' ? 'stopped' : 'failed', message: error.message };
    }
  }

  const requestFor = (located: string): PermissionRequest => ({
    toolCallId: `${WRITE}/${++questions}`,
    title: `Write ${path.relative(folder, located)}`,
    kind: 'edit',
    options: [
      { optionId: ALLOW, name: 'Allow', kind: 'allow_once', scope: 'this file, in this turn' },
      { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
    ],
    content: [],
    paths: [located],
    takesMessage: true,
  });

  async function ask(request: PermissionRequest, params: WriteTextFileParams, wire: WireObject, ended: AbortSignal) {
    const [located = params.path] = request.paths;
    const oldText = await files.look(located);
    const content = [{ type: 'diff', path: located, oldText, newText: params.content }] as const;
    const answer = await permissions.request({ ...request, content }, wire, ended);
    if (answer.outcome === 'selected' && answer.optionId === ALLOW) return PERSON;
    const said = answer.outcome === 'selected' ? (answer.message ?? '') : '';
    return { type: 'refused', why: said === '' ? `Writing ${params.path} was not allowed.` : said } as const;
  }

  return {
    read: (params, withdrawn) =>
      answered('read', params.path, async () => {
        const window: LineWindow = { line: params.line ?? null, limit: params.limit ?? null };
        const found = await scheduler.submit(
          {
            role,
            method: READ,
            subject: params.path,
            demand: demandOf(params.path, false),
            permit: () => {
              files.locate(params.path);
              return { type: 'granted', byPerson: false };
            },
            // That there is no file is an answer too, and no failure that a person would have to be shown.
            run: () => files.read(params.path, window).catch(missing),
          },
          withdrawn,
        );
        if (found instanceof FileRefused) throw found;
        served('read', params.path, Buffer.byteLength(found.text), found.from);
        return { content: found.text };
      }),

    write: (params, wire, withdrawn) =>
      answered('write', params.path, async () => {
        const asked = turn();
        let located = '';
        const went = await scheduler.submit(
          {
            role,
            method: WRITE,
            subject: params.path,
            demand: demandOf(params.path, true),
            permit: (ended) => {
              located = files.locate(params.path);
              if (asked === 0) return { type: 'refused', why: 'No turn is under way, so nothing is written.' };
              const request = requestFor(located);
              if (mayWrite(located, request)) return { type: 'granted', byPerson: false };
              return ask(request, params, wire, ended);
            },
            run: async (ended) => {
              if (turn() !== asked || ended.aborted) {
                throw new WorkEnded('stopped', 'The turn of this write is over, so nothing was written.');
              }
              return files.write(located, params.content);
            },
          },
          withdrawn,
        );
        served('write', params.path, Buffer.byteLength(params.content), went);
        return null;
      }),
  };
}

function missing(error: unknown): FileRefused {
  if (error instanceof FileRefused && error.problem === 'missing') return error;
  throw error;
}
