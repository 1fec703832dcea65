import assert from 'node:assert/strict';
import { renderDoctor } from '../../src/cli/renderDoctor.ts';
import { createStyle } from '../../src/cli/style.ts';
import type { DoctorLine, DoctorReport } from '../../src/shared/doctor.ts';

const line = (more: Partial<DoctorLine>): DoctorLine => ({
  topic: 'program',
  level: 'ok',
  what: 'Found: /bin/claude',
  fix: '',
  command: null,
  action: null,
  ...more,
});
const report = (...lines: readonly DoctorLine[]): DoctorReport => ({
  ok: lines.every(({ level }) => level !== 'problem'),
  sections: [{ agent: 'claude', title: 'Claude Code', lines }],
});

describe('renderDoctor', () => {
  it('has a line for each thing and says that all is well', () => {
    assert.equal(renderDoctor(report(line({})), createStyle(false)), 'Claude Code\n  ✓ Found: /bin/claude\n\nReady.\n');
  });

  it('gives the ways out, buttons of the extension as something to type, and obeys no control character', () => {
    const text = renderDoctor(
      report(
        line({
          level: 'problem',
          what: 'It did not start\nsaid \u001b[2J this',
          fix: 'Look.',
          command: 'claude auth login',
        }),
        line({ level: 'warning', what: 'No key', action: { type: 'setKey' } }),
        line({ level: 'warning', what: 'Not trusted', action: { type: 'manageTrust' } }),
      ),
      createStyle(false),
    );
    assert.match(text, /✗ It did not start\n {4}said ␛\[2J this\n {4}→ Look\.\n {4}→ claude auth login\n/);
    assert.match(text, /! No key\n {4}→ export GEMINI_API_KEY=…\n/);
    assert.match(text, /→ --trust\n/);
    assert.match(text, /keeps a run from working/);
  });
});
