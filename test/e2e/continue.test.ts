import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { say, story } from '../fakes/models/story.ts';
import type { RealCli } from './harness/realCli.ts';
import type { Finished, Terminal } from './harness/terminal.ts';
import { NINE } from './loopStories.ts';
import { GEMINI_MODEL, pressUntil, useWorlds, type World } from './loopWorld.ts';

/** The agents' own interfaces on the sessions of a run, on a terminal. */
describe('e2e: cgloop continue on the real CLIs', function () {
  this.timeout(120_000);
  const enter = useWorlds();

  /** A run of one round that was approved; gives its id. */
  const ranOnce = async (): Promise<{ readonly world: World; readonly id: string }> => {
    const made = await enter({
      files: { 'README.md': 'A project\n' },
      git: true,
      claude: () => story('the executor').next(say('First words of Claude.')).next(say('More words of Claude.')),
      gemini: () => story('the reviewer').next(say(NINE)),
    });
    const told = await made.cgloop(['--reviewer-model', GEMINI_MODEL, '--permission', 'edits', 'Do it']).done;
    assert.equal(told.code, 0, told.stderr);
    await skipWelcome(made.clis, made.project.folder);
    return { world: made, id: / undo (\S+)$/m.exec(told.stderr)?.[1] ?? '' };
  };
  const lastEvents = async ({ clis }: World, id: string) => {
    const log = await readFile(path.join(clis.home, 'cgloop', 'runs', id, 'log.jsonl'), 'utf8');
    const types = log
      .trim()
      .split('\n')
      .slice(-3)
      .map((line) => /"type":"([\w.]+)"/.exec(line)?.[1]);
    return types;
  };
  /** Presses Ctrl-C until the interface has gone. */
  const leave = async (terminal: Terminal): Promise<Finished> => {
    const press = setInterval(() => terminal.interrupt(), 300);
    return terminal.done.finally(() => clearInterval(press));
  };

  it('goes on with the executor’s session, and notes in the log that it was the person', async () => {
    const { world: made, id } = await ranOnce();
    const terminal = made.cgloop(['continue', id], { tty: true });
    await terminal.saw('Claude Code goes on with session');
    // The interface moves the cursor over blanks instead of writing them.
    await terminal.saw(/First\s*words\s*of\s*Claude\./);
    terminal.type('And now?');
    await pressUntil(terminal, '\r', /More\s*words\s*of\s*Claude\./);
    await leave(terminal);
    assert.deepEqual(await lastEvents(made, id), ['run.ended', 'handover.started', 'handover.ended']);
    await made.assertPlayedAndGone();
  });

  it('goes on with the reviewer’s session, with our settings so that its history survives', async () => {
    const { world: made, id } = await ranOnce();
    const print = await made.cgloop(['continue', id, '--reviewer', '--print']).done;
    assert.equal(print.code, 0, print.stderr);
    assert.match(print.stdout, /^cd \S+ && GEMINI_CLI_SYSTEM_DEFAULTS_PATH=\S+ \S*\/gemini --resume [\w-]+\n$/);
    assert.deepEqual((await lastEvents(made, id)).at(-1), 'run.ended', 'printing changes nothing');
    const terminal = made.cgloop(['continue', id, '--reviewer'], { tty: true });
    await terminal.saw('I have read the change.');
    await leave(terminal);
    assert.deepEqual(await lastEvents(made, id), ['run.ended', 'handover.started', 'handover.ended']);
    await made.clis.assertNothingAlive();
  });

  it('refuses without a terminal, and a run that is not there', async () => {
    const { world: made, id } = await ranOnce();
    const refused = await made.cgloop(['continue', id]).done;
    assert.deepEqual([refused.code, /needs a terminal.*--print/.test(refused.stderr)], [1, true], refused.stderr);
    const missing = await made.cgloop(['continue', '1999']).done;
    assert.match(missing.stderr, /There is no run 1999\./);
  });
});

/** What the interfaces ask on their first start is answered: theme, key and trust. */
async function skipWelcome({ home, env }: RealCli, folder: string): Promise<void> {
  const settings = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: [env.ANTHROPIC_API_KEY?.slice(-20)], rejected: [] },
    projects: { [folder]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(path.join(home, '.claude.json'), JSON.stringify(settings));
  await writeFile(path.join(home, '.gemini', 'trustedFolders.json'), JSON.stringify({ [folder]: 'TRUST_FOLDER' }));
}
