import assert from 'node:assert/strict';
import { geminiEventSchema } from '../../src/protocol/geminiStream.ts';
import { parseWire } from '../../src/protocol/parseWire.ts';

describe('geminiStream', () => {
  it('takes the six events of 0.61.0 as recorded (sj-02, sj-02b, sj-05, sj-08b) and keeps every field', () => {
    const recorded = [
      '{"type":"init","timestamp":"2026-11-30T11:00:04.399Z","session_id":"9390907f","model":"gemini-2.5-flash"}',
      '{"type":"message","timestamp":"2026-11-30T11:00:04.416Z","role":"user","content":"go"}',
      '{"type":"message","timestamp":"2026-11-30T11:39:58.204Z","role":"assistant","content":"ok","delta":true}',
      '{"type":"tool_use","timestamp":"2026-11-30T11:00:05.784Z","tool_name":"read_file","tool_id":"read_file__1","parameters":{"file_path":"missing.txt"}}',
      '{"type":"tool_result","timestamp":"2026-11-30T11:00:07.176Z","tool_id":"read_file__1","status":"error","output":"File not found.","error":{"type":"file_not_found","message":"File not found"}}',
      '{"type":"tool_result","timestamp":"2026-11-30T11:00:49.010Z","tool_id":"write_file__1","status":"success"}',
      '{"type":"error","timestamp":"2026-11-30T11:15:56.691Z","severity":"warning","message":"Loop detected, stopping execution"}',
      '{"type":"result","timestamp":"2026-11-30T11:02:33.599Z","status":"error","error":{"type":"unknown","message":"[API Error: terminated]"},"stats":{"total_tokens":0,"input_tokens":0,"output_tokens":0,"cached":0,"input":0,"duration_ms":0,"tool_calls":0,"models":{"gemini-2.5-flash":{"total_tokens":0}}}}',
    ];
    for (const line of recorded) {
      const raw: unknown = JSON.parse(line);
      assert.deepEqual(parseWire(geminiEventSchema, 'type', raw), { type: 'known', value: raw }, line);
    }
  });

  it('tells an unknown event from a malformed one', () => {
    assert.deepEqual(parseWire(geminiEventSchema, 'type', { type: 'thought' }), {
      type: 'unknownVariant',
      variant: 'thought',
    });
    for (const raw of [{ type: 'result' }, { type: 'message', role: 'system', content: '' }, { type: 'init' }, {}]) {
      assert.equal(parseWire(geminiEventSchema, 'type', raw).type, 'invalid', JSON.stringify(raw));
    }
  });
});
