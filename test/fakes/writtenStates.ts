import fs from 'node:fs';
import path from 'node:path';
import { isWireObject } from '../../src/protocol/parseWire.ts';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { WireObject } from '../../src/shared/wire.ts';

/** Relative path, with `/`, to text. */
export type Files = Readonly<Record<string, string>>;

/** Every file but git's own. */
export function filesIn(folder: string): Files {
  const files: Record<string, string> = {};
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const relative = path.relative(folder, file).split(path.sep).join('/');
    if (entry.isFile() && !relative.startsWith('.git/')) files[relative] = fs.readFileSync(file, 'utf8');
  }
  return files;
}

/** The folder before the run, and after each write that the log tells as done, by the names of Claude Code's inputs. */
export function statesOf(before: Files, events: readonly LoopEvent[], folder: string): Files[] {
  const inputs = new Map<string, WireObject>();
  const states = [before];
  for (const event of events) {
    if (event.type !== 'toolCall.started' && event.type !== 'toolCall.updated') continue;
    const { toolCallId, rawInput, state } = event.derived;
    const key = `${event.turn}/${toolCallId}`;
    if (isWireObject(rawInput)) inputs.set(key, { ...inputs.get(key), ...rawInput });
    const { file_path: file, content, old_string: old, new_string: text } = inputs.get(key) ?? {};
    if (state !== 'success' || typeof file !== 'string') continue;
    const relative = path.relative(folder, file).split(path.sep).join('/');
    const last = states.at(-1) ?? before;
    if (typeof content === 'string') states.push({ ...last, [relative]: content });
    else if (typeof old === 'string' && typeof text === 'string') {
      states.push({ ...last, [relative]: (last[relative] ?? '').replace(old, () => text) });
    }
  }
  return states;
}

/** Whether both hold the same files with the same texts. */
export function sameFiles(a: Files, b: Files): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}
