/** What a scripted Claude Code plays in the live scenes: it works as told, and then waits until it is ended. */
import { type PeerStep, say } from '../fakes/claudePeer.ts';

const COMMANDS = [
  {
    name: 'compact',
    description: 'Clear conversation history but keep a summary in context',
    argumentHint: '[instructions]',
  },
  { name: 'review', description: 'Review a pull request', argumentHint: '' },
  { name: 'security-review', description: 'Complete a security review of the pending changes', argumentHint: '' },
];
const MODELS = [
  { value: 'default', displayName: 'Default (recommended)', description: 'Opus 4.8' },
  { value: 'sonnet', displayName: 'Sonnet', description: 'Sonnet 5 · for everyday tasks' },
];

const BEGUN: readonly PeerStep[] = [
  { await: 'initialize' },
  { answer: { commands: COMMANDS, models: MODELS } },
  { await: 'user' },
  { send: say.init },
];

const result = (id: string, content: string) => ({
  send: {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    parent_tool_use_id: null,
  },
});
const stream = (event: object) => ({ send: { type: 'stream_event', event, parent_tool_use_id: null } });
const stops: readonly PeerStep[] = [{ await: 'interrupt' }, { send: say.aborted }, { await: 'end' }];

const EDIT = {
  file_path: 'src/columns.ts',
  old_string: "export const SEPARATOR = ',';",
  new_string: "export const SEPARATOR = ';';\nexport const QUOTE = '\"';",
};
const COMMAND =
  'npm run build --workspaces --if-present && node scripts/check-bundle-size.mjs --limit 600000 --report dist/report.json && git diff --stat main...HEAD';

export const SCRIPTS = {
  streaming: [
    ...BEGUN,
    { send: say.text('I read how columns are found, then change it in one place.', 'm1') },
    { send: say.call('t1', 'Read', { file_path: 'src/columns.ts' }) },
    result('t1', "1\texport const SEPARATOR = ',';"),
    { send: say.call('t2', 'Grep', { pattern: 'SEPARATOR', output_mode: 'content' }) },
    result(
      't2',
      "src/columns.ts:1:export const SEPARATOR = ',';\nsrc/importer.ts:3:import { SEPARATOR } from './columns.ts';",
    ),
    { send: say.call('t3', 'Bash', { command: 'npm test -- --watch=false', description: 'Run the tests' }) },
    stream({ type: 'message_start', message: { id: 'm9' } }),
    stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    stream({
      type: 'content_block_delta',
      index: 0,
      delta: {
        type: 'text_delta',
        text: 'While the tests run, this is the plan:\n\n1. Columns by **name**\n2. One separator\n\n```ts\nexport const SEPA',
      },
    }),
    ...stops,
  ],
  edit: [
    ...BEGUN,
    { send: say.text('One separator for all.') },
    { send: say.call('t1', 'Edit', EDIT) },
    { send: say.ask('r1', 't1', 'Edit', EDIT) },
    ...stops,
  ],
  command: [
    ...BEGUN,
    { send: say.call('t1', 'Bash', { command: COMMAND, description: 'Build and check the size' }) },
    { send: say.ask('r1', 't1', 'Bash', { command: COMMAND, description: 'Build and check the size' }) },
    ...stops,
  ],
  question: [
    ...BEGUN,
    ...[
      {
        questions: [
          {
            question: 'How are columns to be found?',
            header: 'Columns',
            options: [
              { label: 'By name', description: 'The header row is read, and its order does not matter.' },
              { label: 'By position', description: 'As it is now. Files without a header work too.' },
            ],
            multiSelect: false,
          },
          {
            question: 'Which separators are there?',
            header: 'Separators',
            options: [
              { label: 'Comma' },
              { label: 'Semicolon' },
              { label: 'Tab', description: 'As in exports of old.' },
            ],
            multiSelect: true,
          },
        ],
      },
    ].flatMap((input): PeerStep[] => [
      { send: say.call('t1', 'AskUserQuestion', input) },
      { send: say.ask('r1', 't1', 'AskUserQuestion', input) },
    ]),
    ...stops,
  ],
} as const satisfies Record<string, readonly PeerStep[]>;
