import type { ReplayStep, WireReplay } from '../agent/replaySteps.ts';
import { objectOf } from '../agent/replaySteps.ts';
import { createWireReplay } from '../agent/wireReplay.ts';
import type { TraceLine, TraceRecord } from '../session/trace.ts';
import type { Role } from '../shared/agentEvents.ts';
import type { LoopEvent, LoopEventBody } from '../shared/events.ts';

/**
 * The events of a trace, told by the product's own readers. What the loop decided is on no wire: rounds are counted by
 * the executor's turns, and there are neither checkpoints nor verdicts nor an ending. `at` is milliseconds from the start.
 */
export function replayTrace({ run, lines }: TraceRecord): LoopEvent[] {
  const events: LoopEvent[] = [];
  const wires = new Map<Role, WireReplay>();
  const turns: Record<Role, number> = { execute: 0, review: 0 };
  let turn = 0;
  let round = 0;
  let inRound = false;
  let ms = 0;

  const append = (body: LoopEventBody): void => {
    events.push({ seq: events.length + 1, at: ms, round, ...body });
  };
  const begin = (role: Role): void => {
    if (role === 'execute' || round === 0) {
      if (inRound) append({ type: 'round.ended' });
      round += 1;
      inRound = true;
      append({ type: 'round.started' });
    }
    turn += 1;
    turns[role] = turn;
  };

  function take(role: Role, step: ReplayStep): void {
    const at = { turn: turns[role], role };
    switch (step.type) {
      case 'ready':
        append({ type: 'agent.ready', role, agent: step.agent });
        return;
      case 'prompt':
        begin(role);
        append({
          type: 'turn.started',
          turn: turns[role],
          role,
          prompt: step.text,
          wire: { sessionId: step.sessionId, model: null },
        });
        return;
      case 'event':
        append({ ...step.event, ...at });
        return;
      case 'asked': {
        const { wire, request } = step;
        append({ type: 'permission.requested', ...at, permissionId: `${role}-${step.id}`, wire, derived: request });
        return;
      }
      case 'answered':
        // Whether the person answered or a rule is not on the wire.
        append({ type: 'permission.resolved', permissionId: `${role}-${step.id}`, by: 'user', answer: step.answer });
        return;
      case 'end': {
        const { wire, outcome, usage, models } = step.result;
        append({ type: 'turn.ended', ...at, wire, derived: { outcome, usage, models } });
        turns[role] = 0;
        return;
      }
      default:
        step satisfies never;
    }
  }

  append({ type: 'run.started', run });
  for (const line of lines) {
    ms = line.ms;
    for (const step of stepsOf(line, wires, run.folder)) take(line.role, step);
  }
  if (inRound) append({ type: 'round.ended' });
  return events;
}

function stepsOf(line: TraceLine, wires: Map<Role, WireReplay>, folder: string): readonly ReplayStep[] {
  if (line.dir === 'start') {
    const wire = wires.get(line.role) ?? createWireReplay(line.agent, folder);
    wires.set(line.role, wire);
    return wire.start();
  }
  const wire = wires.get(line.role);
  if (wire === undefined) return [];
  switch (line.dir) {
    case 'out':
      return wire.out(objectOf(line.line), line.line);
    case 'in':
      return wire.in(objectOf(line.line), line.line);
    case 'exit':
      return wire.exit(line);
    default:
      return line satisfies never;
  }
}
