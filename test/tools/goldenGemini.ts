import { createGeminiHeadlessAgent, HEADLESS_DEPS } from '../../src/agent/geminiHeadless.ts';
import type { PermissionMode } from '../../src/shared/permission.ts';
import { createFakePeer } from '../fakes/acpPeer.ts';
import { createGoldenPeer } from './goldenPeer.ts';
import { createGoldenRun } from './goldenRun.ts';
import type { Transcript } from './goldenTranscript.ts';

/** Replays a recording of one headless turn against our Gemini agent, whose process it is. */
export async function replayGemini({ args, rows }: Transcript): Promise<string> {
  const run = createGoldenRun();
  const peer = createGoldenPeer(run);
  const resumed = optionOf(args, '--resume');
  let spawned = 0;
  const agent = createGeminiHeadlessAgent(
    {
      launch: {
        ref: { id: 'gemini-headless', name: 'Gemini CLI', protocol: 'gemini-stream-json', version: null },
        command: '/bin/gemini',
        args: [],
        env: {},
      },
      role: 'execute',
      folder: '/project',
      mode: modeOf(args),
      trusted: true,
      model: optionOf(args, '-m'),
      permissions: run.permissions,
      emit: run.emit,
      ...(resumed === null ? {} : { resume: { sessionId: resumed } }),
    },
    {
      ...HEADLESS_DEPS,
      spawn: (options) => {
        run.remark(`starts ${options.args.join(' ')}`);
        spawned += 1;
        if (spawned === 1) return peer.child;
        // The recording is of one process.
        const another = createFakePeer();
        another.exit({ code: 1 }, 'not recorded');
        return another;
      },
      version: async () => '0.61.0',
      probe: async () => ({ code: 42, signal: null, stderr: '' }),
      env: {},
      after: () => () => undefined,
      lingerMs: 60_000,
    },
  );

  await run.start(agent);
  run.prompt(agent, 'go');
  await run.settle();
  for (const row of rows) {
    run.at(row);
    if (row.dir === 'out') peer.say(row);
    else if (row.dir === 'err') peer.warn(row.text);
    else if (row.dir === 'exit') peer.exit(row);
    await run.settle();
  }
  await agent.dispose();
  await run.settle();
  return run.finish();
}

function optionOf(args: readonly string[], name: string): string | null {
  const place = args.indexOf(name);
  return place < 0 ? null : (args[place + 1] ?? null);
}

function modeOf(args: readonly string[]): PermissionMode {
  switch (optionOf(args, '--approval-mode')) {
    case 'auto_edit':
      return 'edits';
    case 'yolo':
      return 'all';
    case 'plan':
      return 'read-only';
    default:
      return 'ask';
  }
}
