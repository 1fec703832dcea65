import path from 'node:path';
import { createNodeFs } from '../../src/cli/nodeFs.ts';
import { FileRefused } from '../../src/scheduler/fileService.ts';

// Run as a user without rights in the folder that is named: prints what came of each request.
const [folder = ''] = process.argv.slice(2);
const files = createNodeFs().open(folder);
const told: Record<string, string> = {};
const note = async (what: string, work: (file: string) => Promise<string>) => {
  try {
    told[what] = await work(path.join(folder, what.slice(what.indexOf(' ') + 1)));
  } catch (error) {
    told[what] = error instanceof FileRefused ? error.problem : String(error);
  }
};
for (const what of ['read closed/a.txt', 'read ours.txt'])
  await note(what, async (file) => (await files.read(file, { line: null, limit: null })).from);
for (const what of ['write ours.txt', 'write new.txt', 'write closed/new.txt'])
  await note(what, (file) => files.write(files.locate(file), 'x'));
process.stdout.write(JSON.stringify(told));
