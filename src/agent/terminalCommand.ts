import type { ResolveDeps } from './catalog.ts';
import { findCommand } from './findCommand.ts';

/** What an agent's own program does on a terminal of the person: no protocol, its own interface. */
export interface TerminalProgram {
  readonly program: string;
  /** Its arguments that sign in. */
  readonly signIn: readonly string[];
  /** What the person types there in addition, for a program that has no argument for it; null: nothing. */
  readonly signInTyped: string | null;
  /** Its arguments that go on with a session; null where it cannot. */
  readonly resume: ((sessionId: string) => readonly string[]) | null;
}

const CLAUDE: TerminalProgram = {
  program: 'claude',
  signIn: ['auth', 'login'],
  signInTyped: null,
  // Sessions are found from the folder that they were begun in only (76-resume-from-other-cwd).
  resume: (sessionId) => ['--resume', sessionId],
};

const GEMINI: TerminalProgram = {
  program: 'gemini',
  signIn: [],
  signInTyped: '/auth',
  resume: (sessionId) => ['--resume', sessionId],
};

const PROGRAMS: ReadonlyMap<string, TerminalProgram> = new Map([
  ['claude', CLAUDE],
  ['gemini', GEMINI],
  ['gemini-headless', GEMINI],
]);

/** The terminal side of the catalog's agent `id`; null where nothing is known of one. */
export function terminalProgram(id: string): TerminalProgram | null {
  return PROGRAMS.get(id) ?? null;
}

/** The command that signs in to an agent, for people; null where the catalog knows none. */
export function signInCommand(id: string): string | null {
  const known = PROGRAMS.get(id);
  return known === undefined ? null : [known.program, ...known.signIn].join(' ');
}

/** A program with its arguments, ready to be started without a shell. */
export type TerminalStart =
  | {
      readonly type: 'found';
      readonly command: string;
      readonly args: readonly string[];
      /** Needed by the program in addition. */
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly type: 'missing'; readonly what: string };

/** Session ids stand in a command line: only what a UUID or another plain word is made of. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{3,127}$/;

/** How the person signs in to the agent on a terminal. */
export function signInStart(id: string, deps: ResolveDeps): TerminalStart {
  const known = terminalProgram(id);
  if (known === null) return { type: 'missing', what: `How to sign in to "${id}" is not known here.` };
  return start(id, known, known.signIn, deps);
}

/** How the person goes on with a session of the agent on a terminal, in the folder where it was begun. */
export function resumeStart(id: string, sessionId: string, deps: ResolveDeps): TerminalStart {
  const known = terminalProgram(id);
  if (known === null || known.resume === null) {
    return { type: 'missing', what: `"${id}" has no interface of its own that goes on with a session.` };
  }
  if (!SESSION_ID.test(sessionId)) return { type: 'missing', what: `"${sessionId}" is no session id.` };
  return start(id, known, known.resume(sessionId), deps);
}

function start(id: string, known: TerminalProgram, args: readonly string[], deps: ResolveDeps): TerminalStart {
  // A path that is set for the program counts for every agent that it is.
  const { [id]: own, [known.program]: shared } = deps.executablePaths;
  const found = findCommand(known.program, deps, own ?? shared);
  if (found.type === 'found') {
    return { type: 'found', command: found.command, args: [...found.args, ...args], env: found.env };
  }
  return { type: 'missing', what: `No program "${known.program}" was found (looked in ${found.lookedIn.join(', ')}).` };
}
