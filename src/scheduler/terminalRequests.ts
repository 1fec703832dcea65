import type { CreateTerminalParams, TerminalParams } from '../protocol/acp.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { TerminalEnd } from '../shared/ending.ts';
import { errorText } from '../shared/errors.ts';
import type { LoopEventBody } from '../shared/events.ts';
import type { PermissionRequest } from '../shared/permission.ts';
import type { WireObject } from '../shared/wire.ts';
import type { CommandGrants } from './commandGrants.ts';
import { type After, createLiveOutput } from './liveOutput.ts';
import type { PermissionPort } from './permissionBroker.ts';
import { type Permit, type Scheduler, WorkEnded } from './scheduler.ts';
import type { ServiceAnswer } from './serviceAnswer.ts';
import { commandOf, lineOf, problemOf } from './terminalCommand.ts';
import type { Terminal, TerminalCommand, TerminalService } from './terminalService.ts';

/** What `terminal/output` answers. */
export type TerminalState = {
  readonly output: string;
  readonly truncated: boolean;
  /** Null while it runs. */
  readonly exitStatus: ExitStatus | null;
};

/** Of the code and the signal one is null. */
export type ExitStatus = { readonly exitCode: number | null; readonly signal: string | null };

/** `terminal/*` of one agent. Only the start is queued: output, wait, kill and release are answered as they come. */
export interface TerminalRequests {
  create(
    params: CreateTerminalParams,
    wire: WireObject,
    withdrawn: AbortSignal,
  ): Promise<ServiceAnswer<{ readonly terminalId: string }>>;
  output(params: TerminalParams): ServiceAnswer<TerminalState>;
  waitForExit(params: TerminalParams, withdrawn: AbortSignal): Promise<ServiceAnswer<ExitStatus>>;
  /** The command is gone when this settles; its output stays. */
  kill(params: TerminalParams): Promise<ServiceAnswer<Record<string, never>>>;
  /** As `kill`, and the id is none any more. */
  release(params: TerminalParams): Promise<ServiceAnswer<Record<string, never>>>;
  /** Ends every command, with the turn or the run; settles once all are gone. */
  stopAll(): Promise<void>;
}

export interface TerminalRequestsOptions {
  readonly role: Role;
  /** Absolute, links resolved: where commands run that name no folder. */
  readonly folder: string;
  /** Where a path leads, links resolved; throws for one outside the folders of the run. */
  readonly locate: (path: string) => string;
  readonly service: TerminalService;
  readonly scheduler: Scheduler;
  readonly permissions: PermissionPort;
  readonly grants: CommandGrants;
  /** Whether policy lets this command run without a question, or refuses it; null: the person is to be asked. */
  readonly decide: (request: PermissionRequest) => Permit | null;
  /** The turn that the role is in, 0 outside of one. */
  readonly turn: () => number;
  /** Numbers the terminals of the run. */
  readonly nextId: () => string;
  readonly after: After;
  readonly append: (
    body: Extract<LoopEventBody, { readonly type: 'terminal.started' | 'terminal.output' | 'terminal.ended' }>,
  ) => void;
}

/** Commands of one agent that run at once. */
export const MOST_RUNNING = 8;
/** Terminals of one agent that it has not released, ended ones too. */
const MOST_KEPT = 64;

const CREATE = 'terminal/create';
const ALLOW = 'allow';

/** Serves an agent's commands: each starts without a shell, exactly as it was allowed, inside the folders of the run. */
export function createTerminalRequests(options: TerminalRequestsOptions): TerminalRequests {
  const { role, folder, scheduler, permissions, grants, turn, append } = options;
  const terminals = new Map<string, Terminal>();
  const running = new Set<Terminal>();
  let questions = 0;

  const requestFor = (line: string): PermissionRequest => ({
    toolCallId: `${CREATE}/${++questions}`,
    title: line.split(/[\r\n]/, 1).join(''),
    kind: 'execute',
    options: [
      { optionId: ALLOW, name: 'Allow', kind: 'allow_once', scope: 'this command, once' },
      { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
    ],
    content: [],
    paths: [],
    command: line,
    takesMessage: true,
  });

  async function ask(request: PermissionRequest, wire: WireObject, ended: AbortSignal): Promise<Permit> {
    const answer = await permissions.request(request, wire, ended);
    if (answer.outcome === 'selected' && answer.optionId === ALLOW) return { type: 'granted', byPerson: true };
    const said = answer.outcome === 'selected' ? (answer.message ?? '') : '';
    return { type: 'refused', why: said === '' ? 'This command was not allowed.' : said };
  }

  const permitFor = (line: string, wire: WireObject, ended: AbortSignal): Permit | Promise<Permit> => {
    if (turn() === 0) return { type: 'refused', why: 'No turn is under way, so nothing is started.' };
    if (grants.covers(turn(), line)) return { type: 'granted', byPerson: false };
    const request = requestFor(line);
    return options.decide(request) ?? ask(request, wire, ended);
  };

  /** Looks again at all that was looked at before the wait, since any of it may have changed. */
  const recheck = (params: CreateTerminalParams, asked: TerminalCommand, line: string, ended: AbortSignal): void => {
    if (ended.aborted) throw new WorkEnded('stopped', 'This was stopped before it was started.');
    if (cwdOf(params) !== asked.cwd)
      throw new WorkEnded('denied', `${params.cwd ?? folder} leads somewhere else by now.`);
    if (running.size >= MOST_RUNNING) {
      throw new Error(`${MOST_RUNNING} commands are running already: end one with terminal/kill or terminal/release.`);
    }
    if (terminals.size >= MOST_KEPT) {
      throw new Error(`${MOST_KEPT} terminals are open: release those that are not needed with terminal/release.`);
    }
    if (grants.covers(turn(), line)) return;
    if (options.decide(requestFor(line))?.type !== 'granted') {
      throw new WorkEnded('denied', 'This command was allowed for another start than this one.');
    }
  };

  const cwdOf = ({ cwd }: CreateTerminalParams): string => (cwd == null ? folder : options.locate(cwd));

  async function start(command: TerminalCommand, line: string): Promise<string> {
    const asked = turn();
    const terminalId = options.nextId();
    const live = createLiveOutput((piece) => append({ type: 'terminal.output', terminalId, ...piece }), options.after);
    const early: string[] = [];
    let announced = false;
    const terminal = await options.service.start(command, (text) => {
      if (announced) live.push(text);
      else early.push(text);
    });
    grants.use(asked, line);
    terminals.set(terminalId, terminal);
    running.add(terminal);
    append({ type: 'terminal.started', turn: asked, role, terminalId, command: line, cwd: command.cwd });
    announced = true;
    for (const text of early) live.push(text);
    void terminal.ended.then((end) => {
      running.delete(terminal);
      live.flush();
      append({ type: 'terminal.ended', terminalId, end });
    });
    return terminalId;
  }

  const of = <T>(terminalId: string, found: (terminal: Terminal) => T): T | ServiceAnswer<never> => {
    const terminal = terminals.get(terminalId);
    if (terminal !== undefined) return found(terminal);
    return {
      type: 'refused',
      kind: 'invalid',
      message: `There is no terminal ${terminalId}: it was never created, or released.`,
    };
  };
  const done = async (terminal: Terminal): Promise<ServiceAnswer<Record<string, never>>> => {
    await terminal.kill('agent');
    return { type: 'result', value: {} };
  };

  return {
    async create(params, wire, withdrawn) {
      const problem = problemOf(params);
      if (problem !== null) return { type: 'refused', kind: 'invalid', message: problem };
      let command: TerminalCommand | null = null;
      const line = lineOf(params, folder);
      try {
        const terminalId = await scheduler.submit(
          {
            role,
            method: CREATE,
            subject: line,
            demand: { exclusive: true },
            permit: (ended) => {
              command = commandOf(params, cwdOf(params));
              return permitFor(line, wire, ended);
            },
            run: async (ended) => {
              if (command === null) throw new Error('The command is gone.');
              recheck(params, command, line, ended);
              const started = await start(command, line);
              // Stopped while it came up: nobody will ever hear its id.
              if (ended.aborted) await terminals.get(started)?.kill('stop');
              return started;
            },
          },
          withdrawn,
        );
        return { type: 'result', value: { terminalId } };
      } catch (error) {
        const stopped = error instanceof WorkEnded && error.reason === 'stopped';
        const message = errorText(error);
        return { type: 'refused', kind: stopped ? 'stopped' : 'failed', message };
      }
    },
    output: ({ terminalId }) =>
      of(terminalId, (terminal): ServiceAnswer<TerminalState> => {
        const { output, truncated, end } = terminal.output();
        const exitStatus = end === null ? null : statusOf(end);
        return { type: 'result', value: { output, truncated, exitStatus } };
      }),
    waitForExit: async ({ terminalId }, withdrawn) =>
      of(terminalId, async (terminal): Promise<ServiceAnswer<ExitStatus>> => {
        const end = await unlessAborted(terminal.ended, withdrawn);
        if (end === null) return { type: 'refused', kind: 'stopped', message: 'The wait was taken back.' };
        return { type: 'result', value: statusOf(end) };
      }),
    kill: async ({ terminalId }) => of(terminalId, done),
    release: async ({ terminalId }) =>
      of(terminalId, (terminal) => {
        terminals.delete(terminalId);
        return done(terminal);
      }),
    async stopAll() {
      await Promise.all([...running].map((terminal) => terminal.kill('stop')));
    },
  };
}

function statusOf({ exitCode, signal }: TerminalEnd): ExitStatus {
  return { exitCode, signal };
}

/** Null when the signal comes first. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const onAbort = () => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
    void work.then((value) => {
      signal.removeEventListener('abort', onAbort);
      resolve(value);
    });
  });
}
