import * as z from 'zod';
import { commandProblem } from '../shared/checkWords.ts';
import type { ViewToHost } from '../shared/messages.ts';
import { bytesOf, IMAGE_LIMITS } from '../shared/task.ts';

const LIMIT = 1_000_000;

const text = z.string().max(LIMIT);
const options = z.strictObject({
  rounds: z.int().min(1).max(100),
  executor: z.string().max(100),
  reviewer: z.string().max(100),
  models: z.record(z.string().max(100), z.string().max(200)),
  folder: text.nullable(),
  permissionMode: z.enum(['ask', 'edits', 'read-only', 'all']),
  checks: z
    .array(
      z.strictObject({
        command: z.string().refine((command) => commandProblem(command) === null),
        source: z.enum(['typed', 'settings', 'detected']),
      }),
    )
    .max(50)
    .nullable(),
  newWorktree: z.boolean(),
});

const image = z.strictObject({
  name: z.string().max(1000),
  mimeType: z.enum(IMAGE_LIMITS.types),
  data: z
    .base64()
    .max(IMAGE_LIMITS.bytes * 1.5)
    .refine((data) => bytesOf(data) <= IMAGE_LIMITS.bytes),
});

const answer = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('selected'),
    optionId: text,
    message: z.exactOptional(text),
    offerId: z.exactOptional(text),
    form: z.exactOptional(
      z.record(z.string().max(1000), z.union([text, z.number(), z.boolean(), z.array(text).max(1000)])),
    ),
  }),
  z.strictObject({ outcome: z.literal('cancelled') }),
]);

const findingId = z.string().min(1).max(100);
const feedback = z.nullable(
  z.strictObject({
    findings: z.nullable(z.array(z.string().max(1000)).max(10_000)),
    text: text.nullable(),
    instruction: text.nullable(),
  }),
);
const decision = z.discriminatedUnion('status', [
  z.strictObject({ status: z.literal('dismissed'), reason: text }),
  z.strictObject({ status: z.literal('open') }),
]);
const round = z.int().min(1);
const askedUndo = z.strictObject({
  scope: z.discriminatedUnion('type', [
    z.strictObject({ type: z.enum(['run', 'redo']) }),
    z.strictObject({ type: z.enum(['round', 'before', 'after']), round }),
  ]),
  conflicts: z.enum(['leave', 'mark', 'take']),
});

const agent = z.string().min(1).max(100);
const doctorAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['check', 'close', 'setKey', 'openSettings', 'manageTrust']) }),
  z.strictObject({ type: z.enum(['signIn', 'install']), agent }),
]);

const message = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready'), runId: text.nullable(), lastSeq: z.int().min(0) }),
  z.strictObject({ type: z.literal('run'), task: text.min(1), options }),
  z.strictObject({ type: z.literal('warm'), options }),
  z.strictObject({
    type: z.literal('complete'),
    query: z.string().max(1000),
    folder: text.nullable(),
    anew: z.boolean(),
  }),
  z.strictObject({ type: z.literal('askTasks') }),
  z.strictObject({ type: z.literal('addImage'), image }),
  z.strictObject({ type: z.literal('removeImage'), index: z.int().min(0) }),
  z.strictObject({ type: z.literal('dropped'), uris: z.array(z.string().max(10_000)).max(100) }),
  z.strictObject({ type: z.literal('consent'), known: z.boolean() }),
  z.strictObject({ type: z.literal('resume'), feedback }),
  z.strictObject({ type: z.literal('continueRounds'), rounds: z.int().min(1).max(20), feedback }),
  z.strictObject({ type: z.literal('reviewAgain'), reviewer: agent }),
  z.strictObject({ type: z.literal('pause'), wanted: z.boolean() }),
  z.strictObject({
    type: z.literal('proceed'),
    feedback,
  }),
  z.strictObject({ type: z.literal('note'), text: text.min(1) }),
  z.strictObject({ type: z.literal('answer'), permissionId: text, answer }),
  z.strictObject({ type: z.literal('openDiff'), permissionId: text }),
  z.strictObject({ type: z.literal('stop') }),
  z.strictObject({ type: z.enum(['previewUndo', 'undo']), asked: askedUndo }),
  z.strictObject({ type: z.literal('decide'), finding: findingId, decision }),
  z.strictObject({ type: z.literal('ask'), finding: findingId, text: text.min(1) }),
  z.strictObject({ type: z.literal('openChanges'), round: round.nullable() }),
  z.strictObject({ type: z.enum(['commit', 'export']) }),
  z.strictObject({ type: z.literal('settleWorktree'), how: z.enum(['applied', 'kept', 'dropped']) }),
  z.strictObject({ type: z.literal('newRun') }),
  z.strictObject({ type: z.literal('openLog') }),
  z.strictObject({ type: z.literal('openPart'), id: text, part: z.int().min(0) }),
  z.strictObject({ type: z.literal('openTerminal'), terminalId: text }),
  z.strictObject({ type: z.literal('openPrompt'), turn: z.int().min(1) }),
  z.strictObject({ type: z.literal('openCheck'), checkId: text }),
  z.strictObject({ type: z.enum(['copyText', 'insertText']), text }),
  z.strictObject({ type: z.literal('openFile'), path: text.min(1), line: z.int().min(1).nullable() }),
  z.strictObject({
    type: z.literal('act'),
    action: z.enum(['manageTrust', 'openSettings', 'openFolder', 'checkSetup', 'tryDemo', 'waitForFolder']),
  }),
  z.strictObject({ type: z.literal('continueInTerminal') }),
  z.strictObject({ type: z.literal('doctor'), action: doctorAction }),
]);

/** A message of the page, checked on arrival; null for anything else, which is then not acted on. */
export function parseViewMessage(raw: unknown): ViewToHost | null {
  const parsed = message.safeParse(raw);
  return parsed.success ? parsed.data : null;
}
