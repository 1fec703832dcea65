import assert from 'node:assert/strict';
import path from 'node:path';
import { setImmediate as soon } from 'node:timers/promises';
import { servedMethods } from '../../src/agent/acpServices.ts';
import { type Agent, AgentStartError } from '../../src/agent/agent.ts';
import { createClientServices } from '../../src/loop/runServices.ts';
import { createTurnRunner, type TurnRecord } from '../../src/loop/runTurn.ts';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import { createCommandGrants } from '../../src/scheduler/commandGrants.ts';
import type { FileService } from '../../src/scheduler/fileService.ts';
import { createPermissionBroker, type PermissionPort } from '../../src/scheduler/permissionBroker.ts';
import { decide } from '../../src/scheduler/policy.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import { createWriteGrants } from '../../src/scheduler/writeGrants.ts';
import { createEventLog } from '../../src/session/eventLog.ts';
import type { AgentEvent, Role } from '../../src/shared/agentEvents.ts';
import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import type { PermissionAnswer, PermissionMode } from '../../src/shared/permission.ts';
import { reduce } from '../../src/shared/reduce.ts';
import { english } from '../../src/shared/translate.ts';
import { EMPTY_VIEW } from '../../src/shared/view.ts';
import type { Json, WireObject } from '../../src/shared/wire.ts';
import type { ServedRequest } from '../../src/transport/connection.ts';
import { createTerminalService } from '../../src/workspace/terminals.ts';
import { illegalMoves } from '../shared/toolMoves.ts';
import { createGoldenText } from './goldenText.ts';
import type { Row } from './goldenTranscript.ts';

/** A question that waits for an answer. */
export type OpenQuestion = Extract<LoopEvent, { type: 'permission.requested' }>;

/** What an agent under replay is given, and what the replay does with it. */
export interface GoldenRun {
  readonly emit: (event: AgentEvent) => void;
  readonly permissions: PermissionPort;
  /** The product's own file methods, on these files, in a run of this mode. */
  files(service: FileService, mode: PermissionMode): ReadonlyMap<string, ServedRequest>;
  /** The rest of the replay happens at this row, whose objects may appear as `wire` from now on. */
  at(row: Row): void;
  /** A message that our side sent. */
  sent(message: WireObject): void;
  /** A message of the agent that the replay made up, or changed. */
  madeUp(message: WireObject): void;
  /** A word of the replay itself, where it cannot do what was recorded. */
  remark(text: string): void;
  /** Starts the agent; a failure is part of the record. */
  start(agent: Agent): Promise<boolean>;
  /** Begins a turn with a started agent. */
  prompt(agent: Agent, text: string): void;
  isPrompting(): boolean;
  /** The person stops the turn. */
  cancel(): void;
  /** Open questions, oldest first. */
  questions(): readonly OpenQuestion[];
  answer(permissionId: string, answer: PermissionAnswer): void;
  /** Writes an event that the product's loop would write, where a turn is not run by its turn runner. */
  append(body: LoopEventBody): void;
  /** How such a turn ended. */
  ended(record: TurnRecord): void;
  /** Lets everything happen that can happen without the next row. */
  settle(): Promise<void>;
  /** The golden file's text, after checks that hold for every transcript. */
  finish(): string;
}

/** The folder of every recording. */
const FOLDER = '/project';

/** Terminals are offered to no recorded agent. */
const NO_TERMINALS = {
  terminals: createTerminalService(),
  commandGrants: createCommandGrants(),
  nextTerminalId: () => 'none',
  after: () => () => undefined,
} as const;

/** One replay on the product's own log, permission broker and turn runner; time is the row's number. */
export function createGoldenRun(): GoldenRun {
  let row = 0;
  let busy = 0;
  let agent: Agent | null = null;
  let stop = new AbortController();
  let open: OpenQuestion[] = [];
  const ended: TurnRecord[] = [];
  const onWire = new Set<string>();
  const fieldsOnWire = new Set<string>();
  const text = createGoldenText();
  const log = createEventLog({ now: () => row, onListenerError: (error) => assert.fail(String(error)) });
  log.subscribe((event) => {
    text.event(event);
    if (event.type === 'permission.requested') open.push(event);
    if (event.type === 'permission.resolved') open = open.filter((one) => one.permissionId !== event.permissionId);
  });

  const current = (): Agent => {
    assert.ok(agent !== null);
    return agent;
  };
  const append = (body: LoopEventBody) => log.append(body);
  const turnOf = (role: Role) => turns.turnOf(role);
  const grants = createWriteGrants(path.resolve);
  const broker = createPermissionBroker({
    append,
    // A person answers, as one did then.
    decide: () => ({ type: 'ask' }),
    turnOf,
    onWaiting: () => undefined,
    onAllowed: (role, request, option) => grants.allowed(role, turnOf(role), request, option),
  });
  const scheduler = createScheduler({ append, turnOf });
  const turns = createTurnRunner({
    t: english,
    log,
    broker,
    scheduler,
    agents: {
      get execute() {
        return current();
      },
      get review() {
        return current();
      },
    },
    clock: { now: () => 0, after: () => () => undefined },
    limitSeconds: 3600,
    // A signal a turn: a recording may go on after a stop, which a run does not.
    get stopped() {
      return stop.signal;
    },
  });

  /** What is on an event as `wire` was on the wire, whole and unchanged. */
  function checkWire(event: LoopEvent): void {
    if (!('wire' in event) || event.wire === null || event.type === 'turn.started') return;
    const wire = JSON.stringify(event.wire);
    const isOffer = event.type === 'commands.updated' || event.type === 'options.updated';
    assert.ok(onWire.has(wire) || (isOffer && fieldsOnWire.has(wire)), `${event.type}: not on the wire: ${wire}`);
  }

  function remember(value: Json | undefined): void {
    if (Array.isArray(value)) for (const one of value) remember(one);
    else if (value !== undefined && isWireObject(value)) {
      onWire.add(JSON.stringify(value));
      for (const [key, one] of Object.entries(value)) {
        // Of Claude Code's answer to `initialize` an event keeps one field: the rest holds the person's account.
        fieldsOnWire.add(JSON.stringify({ [key]: one }));
        remember(one);
      }
    }
  }

  return {
    emit: (event) => log.append({ ...event, turn: turns.turnOf('execute'), role: 'execute' }),
    permissions: broker.port('execute'),
    files(service, mode) {
      const policy = { mode, folder: FOLDER, interactive: true, resolvePath: path.resolve, caseInsensitive: false };
      const { files } = createClientServices('execute', {
        folder: FOLDER,
        files: service,
        scheduler,
        grants,
        permissions: broker.port('execute'),
        decide: (role, request) => decide(request, { role, ...policy, rules: [], firstEdit: false }),
        turnOf,
        append,
        ...NO_TERMINALS,
      });
      return servedMethods({ files, terminals: null });
    },
    at(next) {
      row = next.number;
      if (next.dir === 'out') remember(next.line);
    },
    sent(message) {
      remember(message);
      text.sent(row, message);
    },
    madeUp: remember,
    remark: (words) => text.remark(row, words),
    async start(started) {
      agent = started;
      try {
        const ready = await started.ready();
        log.append({ type: 'agent.ready', role: 'execute', agent: ready.ref });
        if (ready.resumed !== undefined) text.remark(row, `the past: ${JSON.stringify(ready.resumed.history)}`);
        return true;
      } catch (error) {
        assert.ok(error instanceof AgentStartError, String(error));
        text.remark(row, `did not start (${error.reason}): ${error.message}`);
        return false;
      }
    },
    prompt(prompted, words) {
      agent = prompted;
      stop = new AbortController();
      busy++;
      void turns.run('execute', words).then((record) => {
        busy--;
        ended.push(record);
      });
    },
    isPrompting: () => busy > 0,
    cancel: () => stop.abort(),
    questions: () => [...open],
    answer(permissionId, answer) {
      if (!broker.answer(permissionId, answer)) text.remark(row, `${JSON.stringify(answer)} is not taken as an answer`);
    },
    append: (body) => log.append(body),
    ended: (record) => ended.push(record),
    async settle() {
      for (let quiet = 0, length = 0; quiet < 4; quiet++) {
        await soon();
        if (log.events.length === length) continue;
        length = log.events.length;
        quiet = 0;
      }
    },
    finish() {
      for (const event of log.events) checkWire(event);
      assert.deepEqual(illegalMoves(log.events), [], 'a call moves as the table of its states does not allow');
      const view = reduce(EMPTY_VIEW, log.events);
      assert.equal(busy, 0, 'a turn is left without an end');
      assert.deepEqual(view.waiting, [], 'a question is left without an answer');
      text.view(view, ended);
      return text.toString();
    },
  };
}
