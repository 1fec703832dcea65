import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { AGENT_IDS, agentRef } from '../../src/agent/catalog.ts';
import { CATALOG } from '../../src/agent/catalogEntries.ts';
import { type Fidelity, fidelityOf, HEADLESS_LOSSES, type Told } from '../../src/shared/fidelity.ts';
import { lacksResult } from '../../src/shared/unsentResults.ts';

const ASPECTS = ['thoughts', 'toolProgress', 'diffs', 'usage', 'questions', 'commands'] as const;
const HEADS = ['Thoughts', 'Tool progress', 'Diffs', 'Usage', 'Questions', 'Own commands'];
const BEGIN = '<!-- fidelity: written by UPDATE=1 npx mocha test/shared/fidelity.test.ts -->';
const END = '<!-- /fidelity -->';

/** The table of README.md, of the agents that are no demo. */
function table(): string {
  const cell = ({ level }: Told) => ({ yes: 'yes', partly: 'partly', no: 'no' })[level];
  const rows = [...CATALOG].flatMap(([id, entry]) => {
    const ref = agentRef(id);
    if (entry.type === 'demo' || ref === null) return [];
    const told: Fidelity = fidelityOf(ref);
    const program = `\`${[entry.program, ...entry.args].join(' ')}\``;
    return [[`\`${id}\``, entry.name, program, ...ASPECTS.map((one) => cell(told[one])), entry.tried ? 'yes' : 'no']];
  });
  const head = ['Name', 'Agent', 'Program', ...HEADS, 'Tried'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

describe('fidelity', () => {
  it('is one sentence for each aspect of each agent', () => {
    for (const id of AGENT_IDS) {
      const ref = agentRef(id) ?? assert.fail(id);
      for (const aspect of ASPECTS) assert.match(fidelityOf(ref)[aspect].why, /^[A-Z][^\n]*\.$/, `${id} ${aspect}`);
    }
  });

  it('of an agent of one’s own is what its protocol carries', () => {
    assert.equal(fidelityOf({ id: 'mine', protocol: 'acp' }).questions.level, 'yes');
    assert.equal(fidelityOf({ id: 'mine', protocol: 'gemini-stream-json' }).diffs.level, 'no');
  });

  it('tells results that never come from those that are empty (acp-10-parallel-reads, sj-03-mode-yolo)', () => {
    const [acp, headless] = [agentRef('gemini'), agentRef('gemini-headless')];
    assert.ok(acp !== null && headless !== null);
    assert.deepEqual([lacksResult(acp, 'read'), lacksResult(acp, 'edit')], [true, false]);
    assert.deepEqual([lacksResult(headless, 'edit'), lacksResult(headless, 'execute')], [true, false]);
    assert.equal(lacksResult({ id: 'claude', protocol: 'claude-stream-json' }, 'read'), false);
  });

  it('names what headless leaves out', () => {
    for (const word of ['Thoughts', 'Edits', 'asked', 'batch']) assert.ok(HEADLESS_LOSSES.includes(word), word);
  });

  it('is the table of README.md', () => {
    const file = path.resolve('README.md');
    const text = fs.readFileSync(file, 'utf8');
    const written = text.slice(text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)).trim();
    if (process.env.UPDATE === '1') {
      const start = text.indexOf(BEGIN) + BEGIN.length;
      fs.writeFileSync(file, `${text.slice(0, start)}\n${table()}\n${text.slice(text.indexOf(END))}`);
      return;
    }
    assert.equal(written, table());
  });
});
