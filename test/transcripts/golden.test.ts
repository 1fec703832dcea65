import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { replayAcp } from '../tools/goldenAcp.ts';
import { GOLDEN } from '../tools/goldenCatalog.ts';
import { replayClaude } from '../tools/goldenClaude.ts';
import { replayGemini } from '../tools/goldenGemini.ts';
import { problemsOfSent } from '../tools/goldenSchema.ts';
import { readTranscript, TRANSCRIPTS, type Transcript, transcriptFiles } from '../tools/goldenTranscript.ts';

const update = process.env.UPDATE === '1';
const names = Object.entries(GOLDEN).flatMap(([folder, files]) => Object.keys(files).map((name) => `${folder}/${name}`));
const goldenFile = (name: string): string => path.join(TRANSCRIPTS, `${name}.golden.txt`);

async function replay(transcript: Transcript): Promise<string> {
  switch (transcript.protocol) {
    case 'acp': {
      const { golden, sent } = await replayAcp(transcript);
      assert.deepEqual(sent.flatMap(problemsOfSent), [], 'the official schema refuses what we sent');
      return golden;
    }
    case 'claude-stream-json':
      return replayClaude(transcript);
    case 'gemini-stream-json':
      return replayGemini(transcript);
    default:
      return transcript.protocol satisfies never;
  }
}

/** The first lines that differ, as a diff shows them; null: none does. */
function firstDifference(expected: string, actual: string): string | null {
  if (expected === actual) return null;
  const [before, now] = [expected.split('\n'), actual.split('\n')];
  const at = before.findIndex((line, index) => line !== now[index]);
  const from = at < 0 ? before.length : at;
  const [old = '', fresh = ''] = [before[from], now[from]];
  let same = 0;
  while (same < old.length && old[same] === fresh[same]) same++;
  const cut = Math.max(0, same - 40);
  const lines = (mark: string, all: readonly string[]) =>
    all.slice(from, from + 4).map((line, index) => `${mark} ${index === 0 && cut > 0 ? `…${line.slice(cut)}` : line}`);
  return [`line ${from + 1}, from its character ${same + 1}`, ...lines('-', before), ...lines('+', now)].join('\n');
}

// UPDATE=1 npx mocha test/transcripts/golden.test.ts rewrites the golden files: read the diff, it is the review.
describe('golden transcripts', () => {
  for (const [folder, files] of Object.entries(GOLDEN)) {
    for (const [file, shows] of Object.entries(files)) {
      it(`${file}: ${shows}`, async () => {
        const name = `${folder}/${file}`;
        const golden = await replay(readTranscript(name));
        if (update) writeFileSync(goldenFile(name), golden);
        assert.ok(existsSync(goldenFile(name)), `no golden file for ${name}: write it with UPDATE=1 and read it`);
        const difference = firstDifference(readFileSync(goldenFile(name), 'utf8'), golden);
        if (difference !== null) assert.fail(`not as the golden file has it:\n${difference}`);
      });
    }
  }

  it('has a transcript and a golden file for each entry of the catalog, and no other', () => {
    if (update) {
      for (const name of transcriptFiles('.golden.txt')) if (!names.includes(name)) rmSync(goldenFile(name));
    }
    assert.deepEqual(transcriptFiles('.jsonl'), names.toSorted());
    assert.deepEqual(transcriptFiles('.golden.txt'), names.toSorted());
    assert.ok(names.length >= 120);
  });

  it('keeps its transcripts small', () => {
    const sizes = names.map((name) => statSync(path.join(TRANSCRIPTS, `${name}.jsonl`)).size);
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 4_000_000);
    assert.ok(Math.max(...sizes) < 100_000);
  });

  it('knows nothing of the machine that recorded', () => {
    const allowed = /^\/(project|elsewhere|home\/user|tmp|etc\/hostname|usr\/bin|usr\/lib|bin|no\/such|dev)(\/|$)/;
    for (const name of names) {
      const text = readFileSync(path.join(TRANSCRIPTS, `${name}.jsonl`), 'utf8');
      const mails = text.match(/[\w.+-]+@(?!example\.)[\w-]+\.(com|org|net|dev)\b/g) ?? [];
      assert.deepEqual(mails, [], name);
      assert.doesNotMatch(text, /\b(sk-ant-|AIza|ya29\.)/, name);
      const paths = [...text.matchAll(/"(\/(?:home|root|Users|work|opt|srv|mnt|var)[^"\\ ]*)/g)].map(([, one]) => one ?? '');
      assert.deepEqual(
        paths.filter((one) => !allowed.test(one)),
        [],
        name,
      );
    }
  });
});
