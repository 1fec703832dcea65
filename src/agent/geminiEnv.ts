import fs from 'node:fs';
import path from 'node:path';

const DEFAULTS_VARIABLE = 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH';

/**
 * Lowest-priority settings: what the user sets wins. Without them a later start of the CLI deletes histories
 * (sj-09b-files, sj-09c-noretention) and commands run in a terminal whose output never reaches us (acp-31c).
 */
const SETTINGS = {
  general: { sessionRetention: { enabled: false } },
  tools: { shell: { enableInteractiveShell: false } },
};

/**
 * The variables that Gemini CLI is started with, on top of the user's. Writes its settings file and its folder for
 * temporary files below `stateFolder`; where that is not possible, or the CLI would refuse the file because others may
 * write to it (acp-31c), it goes without.
 */
export function geminiEnv(
  stateFolder: string,
  trusted: boolean,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  const result: Record<string, string> = {
    // One process instead of a launcher that swallows signals (acp-17-SIGTERM-relaunch).
    GEMINI_CLI_NO_RELAUNCH: '1',
    // Command output reaches us as text (acp-31).
    GEMINI_PTY_INFO: 'child_process',
    // Without them two warnings a start (sj-18).
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    // Said both ways: the user's own `true` must not open a folder that this run does not trust.
    GEMINI_CLI_TRUST_WORKSPACE: trusted ? 'true' : 'false',
  };
  const folder = path.join(stateFolder, 'gemini');
  const settings = path.join(folder, 'system-defaults.json');
  const temporary = path.join(folder, 'tmp');
  try {
    fs.mkdirSync(temporary, { recursive: true, mode: 0o700 });
    removeDumps(temporary);
    for (const name of platform === 'win32' ? ['TEMP', 'TMP'] : ['TMPDIR']) result[name] = temporary;
    fs.writeFileSync(settings, `${JSON.stringify(SETTINGS, null, 2)}\n`, { mode: 0o600 });
    const theirs = env[DEFAULTS_VARIABLE] !== undefined && env[DEFAULTS_VARIABLE] !== '';
    if (!theirs && (platform === 'win32' || onlyOwnerWrites(settings))) result[DEFAULTS_VARIABLE] = settings;
  } catch {
    // A state folder that cannot be written is reported by whoever writes the run's log.
  }
  return result;
}

/** Each failed model request leaves a file with the whole conversation in it; the ones of earlier runs go. */
function removeDumps(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (/^gemini-client-error-.*\.json$/.test(name)) fs.rmSync(path.join(folder, name), { force: true });
  }
}

/** Whether the file and every folder above it can be written by no group and no others. */
function onlyOwnerWrites(file: string): boolean {
  let at = fs.realpathSync(file);
  for (;;) {
    if ((fs.statSync(at).mode & 0o022) !== 0) return false;
    const parent = path.dirname(at);
    if (parent === at) return true;
    at = parent;
  }
}
