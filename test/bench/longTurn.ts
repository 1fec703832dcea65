import type { LoopEvent, LoopEventBody } from '../../src/shared/events.ts';
import { CLAUDE, GEMINI, HEADER, stamp } from '../fakes/events.ts';

/** What an agent says between two tool calls: prose, a list, code. About 900 characters. */
const WORDS = `The **parser** reads one line at a time, so a record that spans two lines is cut in half. I will keep the rest of the line and go on with it when the next chunk comes.

What has to change:

- \`src/parse.ts\` keeps what is left over between two calls
- the end of the input flushes it, *also* when no line feed came
- a line without end is refused beyond a limit

\`\`\`ts
export function parse(chunk: string): string[] {
  const lines = (rest + chunk).split('\\n');
  rest = lines.pop() ?? '';
  return lines.filter((line) => line !== '');
}
\`\`\`

The test that failed is [the third one](test/parse.test.ts#L31); the others stay as they are. After that I run the whole suite again, and look at the two callers, which hold on to the old result.
`;

const THOUGHT =
  'The caller hands over what it got from the socket. I should look at how the end is told before I change anything. ';
const BEFORE = Array.from({ length: 24 }, (_, line) => `  const value${line} = read(${line});`);
const PATH = '/home/me/project/src/parse.ts';

/** Events of one step: it thinks, speaks in chunks of a few words, reads, edits, and runs a command. */
function stepOf(step: number): LoopEventBody[] {
  const head = { turn: 1, role: 'execute', wire: {} } as const;
  const say = (channel: 'message' | 'thought', text: string): LoopEventBody[] =>
    (text.match(/[\s\S]{1,28}/g) ?? []).map((part) => ({
      ...head,
      type: 'message.chunk',
      derived: { channel, messageId: `${channel}-${step}`, text: part },
    }));
  const after = BEFORE.map((line, at) => (at === step % 20 ? line.replace('read', 'readAll') : line));
  const read = `read-${step}`;
  const edit = `edit-${step}`;
  const run = `run-${step}`;
  const output = (lines: number) =>
    Array.from({ length: lines }, (_, at) => `\u001b[32m✓\u001b[0m parses record ${at} of step ${step}`).join('\n');
  return [
    ...say('thought', THOUGHT),
    ...say('message', WORDS),
    {
      ...head,
      type: 'toolCall.started',
      derived: { toolCallId: read, title: 'Read src/parse.ts', kind: 'read', state: 'executing' },
    },
    {
      ...head,
      type: 'toolCall.updated',
      derived: { toolCallId: read, state: 'success', content: [{ type: 'text', text: BEFORE.join('\n') }] },
    },
    {
      ...head,
      type: 'toolCall.started',
      derived: { toolCallId: edit, title: 'Edit src/parse.ts', kind: 'edit', state: 'executing' },
    },
    {
      ...head,
      type: 'toolCall.updated',
      derived: {
        toolCallId: edit,
        state: 'success',
        content: [{ type: 'diff', path: PATH, oldText: BEFORE.join('\n'), newText: after.join('\n') }],
      },
    },
    {
      ...head,
      type: 'toolCall.started',
      derived: { toolCallId: run, title: 'npm test', kind: 'execute', state: 'executing' },
    },
    ...[4, 9, 16, 30].map(
      (lines): LoopEventBody => ({
        ...head,
        type: 'toolCall.updated',
        derived: { toolCallId: run, content: [{ type: 'text', text: output(lines) }] },
      }),
    ),
    { ...head, type: 'toolCall.updated', derived: { toolCallId: run, state: 'success' } },
  ];
}

/** The log of a run with so many events, all in one turn that is still under way: nothing of it is folded away. */
export function longTurn(events: number): readonly LoopEvent[] {
  const bodies: LoopEventBody[] = [
    { type: 'run.started', run: HEADER },
    { type: 'agent.ready', role: 'execute', agent: CLAUDE },
    { type: 'agent.ready', role: 'review', agent: GEMINI },
    { type: 'round.started' },
    {
      type: 'turn.started',
      turn: 1,
      role: 'execute',
      prompt: 'Make the parser read records that span lines.',
      wire: { sessionId: 's', model: 'a-model' },
    },
  ];
  for (let step = 1; bodies.length < events; step++) bodies.push(...stepOf(step));
  return stamp(bodies.slice(0, events));
}
