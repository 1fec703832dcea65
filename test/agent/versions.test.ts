import assert from 'node:assert/strict';
import { compareVersions, judgeVersion } from '../../src/agent/versions.ts';

describe('versions', () => {
  it('compare by their numbers, a pre-release before its release', () => {
    const rising = ['0.9', '0.33.0-preview.11', '0.33.0', '0.61.0', '2.1.41', '2.1.197'];
    for (const [place, version] of rising.entries()) {
      for (const [other, against] of rising.entries()) {
        assert.equal(Math.sign(compareVersions(version, against)), Math.sign(place - other), `${version} ${against}`);
      }
    }
    assert.equal(compareVersions('v1.2.0+build', '1.2'), 0);
  });

  it('are tested, newer, older, too old, known bad or unknown', () => {
    assert.deepEqual(judgeVersion('claude', '2.1.197'), { type: 'tested' });
    assert.deepEqual(judgeVersion('gemini', '0.61.0'), { type: 'tested' });
    assert.deepEqual(judgeVersion('gemini', '0.62.0'), { type: 'untested', tested: '0.61.0', newer: true });
    assert.deepEqual(judgeVersion('gemini', '0.40.0'), { type: 'untested', tested: '0.61.0', newer: false });
    assert.equal(judgeVersion('gemini', '0.27.0').type, 'tooOld');
    assert.equal(judgeVersion('claude', '2.0.9').type, 'tooOld');
    assert.deepEqual(judgeVersion('claude', null), { type: 'unknown' });
    assert.deepEqual(judgeVersion('someone', '1.0.0'), { type: 'unknown' });
  });

  it('name every known fault of a version, and the one that mends them all', () => {
    const bad = judgeVersion('claude', '2.1.147');
    assert.ok(bad.type === 'bad');
    assert.equal(bad.fixedIn, '2.1.186');
    assert.match(bad.why, /exit code 127/);
    assert.match(bad.why, /a stop at the very start/);
    const later = judgeVersion('claude', '2.1.170');
    assert.doesNotMatch(later.type === 'bad' ? later.why : 'exit code 127', /exit code 127/);
  });
});
