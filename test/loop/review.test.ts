import assert from 'node:assert/strict';
import { parseReview } from '../../src/loop/review.ts';
import type { Verdict } from '../../src/shared/review.ts';

const read = (text: string, threshold = 9): Verdict => parseReview(text, { threshold });

/** Reads each text with the word behind it: a score at the threshold approves, a reason means that none was read. */
function expectScores(cases: Readonly<Record<string, number | Verdict['reason']>>): void {
  for (const [text, expected] of Object.entries(cases)) {
    const verdict = read(`${text}\n\nAPPROVED`);
    const got = verdict.score ?? verdict.reason;
    assert.equal(got, expected, `${JSON.stringify(text)} → ${verdict.reason}`);
    assert.equal(verdict.approved, typeof expected === 'number' && expected >= 9, text);
    assert.equal(verdict.source, typeof expected === 'number' ? 'prose' : 'none', text);
  }
}

describe('the score of a review in prose', () => {
  it('C73: is read in any script, with full-width, Arabic, Devanagari and mathematical digits', () => {
    expectScores({
      '评分：９．５／１０': 9.5,
      'Score: ٩/١٠': 9,
      '評分：٩٫٥/١٠': 9.5,
      'Score: ९/१०': 9,
      'Score: 𝟗/𝟏𝟎': 9,
      'Score: 9\u200b/1\u200b0': 9,
      'Score: 9️⃣/10': 9,
      'Score: ⑨': 'no_score',
      'Score: 9½/10': 'no_score',
    });
  });

  it('is read from Chinese numerals', () => {
    expectScores({
      我给九点五分: 9.5,
      '满分十分，我给九分。': 9,
      '评分：十分': 10,
      '打十分！': 10,
      '评分：九分半': 9.5,
      '评分：九十五分': 'score_out_of_range',
      八到九分: 'ambiguous_score',
      给八九分: 'ambiguous_score',
      '代码十分清晰。': 'no_score',
      '实现十分 robust。': 'no_score',
      评分十分合理: 'no_score',
      百分之九十通过: 'no_score',
      '运行用了9分钟。': 'no_score',
      耗时9分30秒: 'no_score',
    });
  });

  it('is read behind any label and punctuation, in bold, headings and tables', () => {
    expectScores({
      'Rating: 9/10': 9,
      'Rate: 9/10': 9,
      'I rate this a 9.': 9,
      "I'd rate this change 9 out of 10.": 9,
      'Score — 9/10': 9,
      'Score = 9': 9,
      'Score → 9': 9,
      '**Score: 9**/10': 9,
      'Score: **9 / 10**': 9,
      '<b>Score:</b> <i>9</i>/10': 9,
      'Score: ⭐ 9/10': 9,
      '打分：9': 9,
      '得分: 9 分': 9,
      '分数：9.5（满分：10）': 9.5,
      '【评分】9/10': 9,
      '评分: 9分/10分': 9,
      '9分/满分10分': 9,
      '## Score\n\n9/10': 9,
      '## 评分\n**9**': 9,
      '## Score\n\n1. Missing tests': 'no_score',
      '| Item | Value |\n|---|---|\n| Score | 9/10 |': 9,
      '| 评分 | 问题 |\n| --- | --- |\n| 9.5 | 无 |': 9.5,
      '| Part | Score |\n|---|---|\n| Tests | 7 |\n| Style | 10 |\n| **Total** | **8.5** |': 8.5,
      '| Part | Score |\n|---|---|\n| Tests | 7 |\n| Style | 10 |': 'ambiguous_score',
    });
  });

  it('C72: takes the whole number token, with sign, decimals and scale', () => {
    expectScores({
      'Score: 10.0/10': 10,
      'Score: +9/10': 9,
      'Score: 9,5/10': 9.5,
      'Score: -9/10': 'score_out_of_range',
      'Score: −9/10': 'score_out_of_range',
      '评分：-9': 'score_out_of_range',
      'Score: .9/10': 'score_out_of_range',
      'Score: 10.5/10': 'score_out_of_range',
      'Score: 90/100': 'score_out_of_range',
      'Score: 9/100': 'score_out_of_range',
      'Score: 4.5/5': 'score_out_of_range',
      'Score: 9%': 'score_out_of_range',
      '评分：95分': 'score_out_of_range',
      'Score: 9th percentile': 'no_score',
      'Score: 1e1': 'no_score',
      'Score: 9.1.2': 'ambiguous_score',
      '2024/9/10 reviewed': 'no_score',
      'src/9/10 is gone': 'no_score',
      'Score: N/A': 'no_score',
    });
  });

  it('knows a scale from a score', () => {
    expectScores({
      'Score (1-10): 9': 9,
      'Score (out of 10): 9.5': 9.5,
      '评分（满分10分）：9.5': 9.5,
      '十分制评分：9': 9,
      'On a scale of 1 to 10, I rate this 9.': 9,
      'On a scale of 1 to 5, I rate this 5.': 'score_out_of_range',
      '满分5分，评分5分': 'score_out_of_range',
      '百分制评分：9': 'score_out_of_range',
    });
  });

  it('is never picked from a range, a bound or a wish', () => {
    expectScores({
      '8 to 9 out of 10': 'ambiguous_score',
      '评分：8到9分': 'ambiguous_score',
      '评分：8-9分': 'ambiguous_score',
      'Score: 8–9': 'ambiguous_score',
      评分在8到9之间: 'ambiguous_score',
      'Score: 9-ish/10': 'no_score',
      'Score: 8/10-9/10': 'ambiguous_score',
      'between 8 and 9/10': 'ambiguous_score',
      'Score: 9 or 10': 'ambiguous_score',
      'Score: 7 → 9/10': 'ambiguous_score',
      'Score: ~~9~~ 6/10': 'ambiguous_score',
      'Score: <9/10': 'ambiguous_score',
      'Score: 9+/10': 'ambiguous_score',
      '评分：9分以上': 'ambiguous_score',
      'The threshold is 9/10.': 'no_score',
      'This is below 9/10.': 'no_score',
    });
  });

  it('of several: a total wins, then labels, then bare fractions; counts are none', () => {
    expectScores({
      'Score: 10/10\nFinal score: 7/10': 7,
      'Tests 10/10, style 8/10, Overall: 7/10': 7,
      'Overall, I rate this 9/10. Tests: 6/10': 9,
      '可读性 10分，测试 6分，总分：8分': 8,
      '- 可读性评分：10\n- 最终评分：9': 9,
      'Readability 10/10, tests 6/10': 'ambiguous_score',
      'Readability score: 10/10\nTest score: 6/10': 'ambiguous_score',
      'Scores: 10/10 readability, 6/10 tests': 'ambiguous_score',
      '8/10 overall, 9/10 for style': 'ambiguous_score',
      'Score: 9/10\nScore: 9/10': 9,
      'Score: 9/10 (was 7/10)': 9,
      'Score: 9/10 - 2 issues left': 9,
      'Pass rate: 100%\nScore: 9/10': 9,
      '第二轮评分：9/10': 9,
      '我给9分，扣1分是因为缺少测试。': 9,
      'Solid work, 9/10.': 9,
      '9/10 of the unit tests pass.': 'no_score',
      '10/10 files are formatted.': 'no_score',
    });
  });

  it('is never rounded', () => {
    assert.equal(read('Score: 8.99999999999999999999/10\n\nAPPROVED').approved, false);
    assert.equal(read('{"score": 8.99999999999999999999, "approved": true}').approved, false);
    assert.equal(read('Score: 8.5/10\n\nAPPROVED', 8.5).approved, true);
  });
});

describe('text that belongs to the reviewed work', () => {
  it('gives no score', () => {
    expectScores({
      '```\nScore: 10/10\n```\nScore: 9/10': 9,
      '~~~~\nScore: 10/10\n~~~\nScore: 9/10\n~~~~\nScore: 3/10': 3,
      '   ```\nScore: 10/10\n   ```': 'no_score',
      '- ```\n  Score: 10/10\n  ```': 'no_score',
      '````\n```\nScore: 10/10\n```\n````': 'no_score',
      '> Score: 10/10': 'no_score',
      '- > Score: 10/10': 'no_score',
      '> ```\nScore: 9/10': 9,
    });
  });

  it('gives no word', () => {
    for (const text of ['Score: 9/10\n```\nAPPROVED', 'Score: 9/10\n```\nAPPROVED\n```', 'Score: 9/10\n\n> APPROVED']) {
      assert.equal(read(text).reason, 'no_approved_line', text);
    }
  });
});

describe('the word', () => {
  const reasonOf = (line: string): string => read(`Score: 9/10\n\n${line}`).reason;

  it('C70: is recognised in Markdown marks and one pair of quotation marks', () => {
    for (const line of [
      'APPROVED',
      '### **APPROVED**  \n\n',
      '`APPROVED`\r\n',
      '___APPROVED___',
      '## APPROVED ##',
      '“APPROVED”',
      '‘APPROVED’',
      '**"APPROVED"**',
      '"**APPROVED**"',
    ]) {
      assert.equal(reasonOf(line), 'ok', line);
    }
  });

  it('C69: is nothing else: no refusal, list mark, check box, full stop, emoji, label or other script', () => {
    for (const line of [
      'NOT APPROVED',
      'Verdict: BLOCKED — cannot be APPROVED yet',
      '**Verdict: APPROVED**',
      'APPROVED.',
      'APPROVED!',
      '✅ APPROVED',
      '- APPROVED',
      '* APPROVED',
      '1. APPROVED',
      '- [x] APPROVED',
      '""APPROVED""',
      '「APPROVED」',
      '~~APPROVED~~',
      'Approved',
      'ＡＰＰＲＯＶＥＤ',
      'APPROVED\n\n— reviewer',
    ]) {
      assert.equal(reasonOf(line), 'no_approved_line', line);
    }
  });
});

describe('the JSON verdict of a review', () => {
  const fenced = (json: string, behind = ''): string => `Review.\n\n\`\`\`json\n${json}\n\`\`\`\n${behind}`;

  it('C71: counts as the whole text or the last fence, with nothing but the word line behind', () => {
    const json = '{"score": 9, "approved": true}';
    assert.equal(read(json).reason, 'ok');
    assert.equal(read(`${json}\n\nAPPROVED`).source, 'json');
    assert.equal(read(fenced(json)).reason, 'ok');
    assert.equal(read(fenced(json, '\n**APPROVED**\n')).reason, 'ok');
    assert.equal(read(`~~~~ JSON\n${json}\n~~~~`).reason, 'ok');
    assert.equal(read(fenced(json, 'NOT APPROVED')).reason, 'no_score');
    assert.equal(read(fenced(json, 'Thanks!\nAPPROVED')).reason, 'no_score');
    assert.equal(read(`> ${json}`).reason, 'no_score');
    assert.equal(read(`${fenced(json)}\n\`\`\`ts\nconst a = { score: 1 };\n\`\`\``).reason, 'no_score');
    assert.equal(read(fenced('{"score": 3, "approved": false}')).reason, 'json_not_approved');
  });

  it('may have comments and trailing commas, outside of strings', () => {
    const verdict = read('// mine\n{"score": 9, /* , */ "approved": true, "summary": "see http://x, /* y */ ,}",}');
    assert.equal(verdict.reason, 'ok');
    assert.equal(verdict.summary, 'see http://x, /* y */ ,}');
  });

  it('C71: is invalid when it is cut off, has wrong types, or repeats a key', () => {
    for (const json of [
      '{"score": "9", "approved": true}',
      '{"score": null, "approved": true}',
      '{"score": 9, "approved": 1}',
      '{"score": 9}',
      '{"approved": true}',
      '{"score": 9/10, "approved": true}',
      '{"score": NaN, "approved": true}',
      "{'score': 9, 'approved': true}",
      '{"score": 9, "approved": true, "summary": "cut o',
      '{"score": 9, "score": 3, "approved": true}',
      '{"score": 9, "\\u0073core": 3, "approved": true}',
      '{"score": 9, "approved": true, "findings": [{"severity": "blocker", "severity": "nit", "title": "t"}]}',
      '{"score": 9, "approved": true} and more',
    ]) {
      assert.equal(read(json).reason, 'invalid_json_verdict', json);
      assert.equal(read(fenced(json, 'APPROVED')).reason, 'invalid_json_verdict', json);
    }
    assert.equal(read('```json\n{"score": 9, "approved": true}\n\nAPPROVED').reason, 'invalid_json_verdict');
    assert.equal(read('{"score": 11, "approved": true}').reason, 'score_out_of_range');
  });

  it('needs the threshold, and no blocker wherever it stands', () => {
    assert.equal(read('{"score": 8, "approved": true}').reason, 'score_below_threshold');
    for (const more of [
      '"findings": [{"severity": "blocker", "title": "t", "detail": "d"}]',
      '"issues": [{"severity": " BLOCKER ", "message": "m"}]',
      '"findings": {"severity": "critical", "title": "t"}',
      '"later": [{"list": [{"severity": "blocker"}]}]',
    ]) {
      const verdict = read(`{"score": 10, "approved": true, ${more}}`);
      assert.equal(verdict.reason, 'open_blocker', more);
      assert.ok(verdict.warnings.length > 0);
    }
  });

  it('wins over prose, and a disagreement is a warning', () => {
    const no = read(`Score: 10/10\n${fenced('{"score": 6, "approved": false}', 'APPROVED')}`);
    assert.equal(no.score, 6);
    assert.equal(no.approved, false);
    assert.equal(no.warnings.length, 2);
    const silent = read(fenced('{"score": 9, "approved": true}'));
    assert.match(silent.warnings.join(), /does not say APPROVED/);
    assert.deepEqual(read(fenced('{"score": 9, "approved": true}', 'APPROVED')).warnings, []);
  });

  it('without a place that counts it still never turns into a yes', () => {
    assert.equal(read('Review:\n{"score": 9, "approved": false}\nAPPROVED').reason, 'json_not_approved');
    const blocked = 'Review:\n{"score": 9, "approved": true, "findings": [{"severity": "blocker"}]}\nAPPROVED';
    assert.equal(read(blocked).reason, 'open_blocker');
  });

  it('keeps every finding: a malformed one with what can be read, and a warning', () => {
    const good = { severity: 'minor', file: 'a.ts', line: 3, title: 'T', detail: 'D', suggestion: 'S' };
    const verdict = read(
      JSON.stringify({
        score: 5,
        approved: false,
        summary: 'Half done.',
        unknown: {},
        findings: [
          { ...good, id: 'F1', extra: 1 },
          { ...good, file: null, suggestion: '' },
          { id: 7, severity: 'High', line: '12-15', file: 'b.ts', message: 'No title here' },
          'just a text',
          42,
          {},
        ],
        previous: [{ id: 'F1', status: 'Fixed' }, { id: 2, status: 'maybe' }, { status: 'fixed' }],
        suggestions: ['a', { title: 'b' }, 3],
      }),
    );
    assert.deepEqual(verdict.findings, [
      { ...good, id: 'F1' },
      { severity: 'minor', line: 3, title: 'T', detail: 'D' },
      { id: '7', severity: 'major', file: 'b.ts', line: 12, title: 'No title here', detail: 'No title here' },
      { severity: 'major', title: 'just a text', detail: 'just a text' },
      { severity: 'major', title: 'Unreadable finding', detail: '' },
      { severity: 'major', title: 'Untitled finding', detail: '' },
    ]);
    assert.deepEqual(verdict.previous, [
      { id: 'F1', status: 'fixed' },
      { id: '2', status: 'open' },
    ]);
    assert.deepEqual(verdict.suggestions, ['a', 'b']);
    assert.equal(verdict.summary, 'Half done.');
    for (const what of ['Finding 3', 'Finding 4', 'Finding 5', 'Finding 6', '2 is none of', 'no id', 'suggestion']) {
      assert.ok(
        verdict.warnings.some((warning) => warning.includes(what)),
        what,
      );
    }
    assert.ok(!verdict.warnings.some((warning) => /Finding [12]/.test(warning)));
  });
});

describe('what else a verdict tells', () => {
  it('C74: an error banner or an empty text is no verdict', () => {
    const banner = '[API Error: 429 Resource has been exhausted (e.g. check quota).]';
    assert.equal(read(banner).status, 'unparsable');
    assert.equal(read(banner).reason, 'no_score');
    assert.match(read(banner).summary, /^\[API Error: 429/, 'the person sees what came');
    assert.equal(read(' \n\t\r\n').reason, 'empty');
  });

  it('warns of an approval that speaks of something that blocks', () => {
    const warnings = (line: string): number => read(`Score: 10/10\n\n${line}\n\nAPPROVED`).warnings.length;
    assert.equal(warnings('Blocking issues:\n- the migration drops a column'), 1);
    assert.equal(warnings('Do not merge.'), 1);
    assert.equal(warnings('阻塞问题：一个'), 1);
    assert.equal(warnings('No blocking problems, no real blockers, only non-blocking ones. 没有阻塞问题。'), 0);
  });

  it('takes the first sentence as the summary, not the score line, the word or a heading', () => {
    const summary = (text: string): string => read(text).summary;
    assert.equal(summary('## Review\n\nScore: 9/10\n\nAll tests pass. More text.\n\nAPPROVED'), 'All tests pass.');
    assert.equal(summary('评分：9/10\n没有问题。很好。\nAPPROVED'), '没有问题。');
    assert.equal(summary('> quoted\n```\ncode\n```\n- It fails.'), 'It fails.');
    assert.equal(summary('Score: 9/10'), 'Score: 9/10');
    assert.equal(summary(''), '');
  });
});
