import assert from 'node:assert/strict';
import * as z from 'zod';
import { isWireObject, parseWire } from '../../src/protocol/parseWire.ts';

const schema = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('end') }),
]);

describe('parseWire', () => {
  it('keeps unknown fields of a known variant', () => {
    assert.deepEqual(parseWire(schema, 'type', { type: 'text', text: 'a', extra: [1] }), {
      type: 'known',
      value: { type: 'text', text: 'a', extra: [1] },
    });
  });

  it('tells an unknown variant from a broken known one', () => {
    assert.deepEqual(parseWire(schema, 'type', { type: 'later' }), { type: 'unknownVariant', variant: 'later' });
    const broken = parseWire(schema, 'type', { type: 'text' });
    assert.equal(broken.type, 'invalid');
    assert.match(broken.type === 'invalid' ? broken.problem : '', /^text: /);
  });

  it('finds the tag of variants that lie deeper', () => {
    const outer = z.looseObject({ id: z.string(), update: schema });
    assert.deepEqual(parseWire(outer, 'update.type', { id: 'a', update: { type: 'later' } }), {
      type: 'unknownVariant',
      variant: 'later',
    });
    assert.equal(parseWire(outer, 'update.type', { id: 'a', update: {} }).type, 'invalid');
    assert.equal(parseWire(outer, 'update.type', { id: 1, update: { type: 'later' } }).type, 'invalid');
    assert.equal(parseWire(outer, 'update.type', { id: 'a' }).type, 'invalid');
  });

  it('calls a missing tag, a tag that is no string, and a non-object invalid', () => {
    for (const raw of [{}, { type: 7 }, null, [], 'text', 3]) {
      assert.equal(parseWire(schema, 'type', raw).type, 'invalid', JSON.stringify(raw));
    }
  });

  it('takes a single loose object without a tag', () => {
    const single = z.looseObject({ id: z.number() });
    assert.deepEqual(parseWire(single, null, { id: 1, more: 2 }), { type: 'known', value: { id: 1, more: 2 } });
    assert.equal(parseWire(single, null, { id: 'x' }).type, 'invalid');
  });

  it('shows at most three problems and counts the rest', () => {
    const many = z.looseObject({ a: z.string(), b: z.string(), c: z.string(), d: z.string(), e: z.string() });
    const parsed = parseWire(many, null, {});
    assert.match(parsed.type === 'invalid' ? parsed.problem : '', /and 2 more$/);
  });
});

describe('isWireObject', () => {
  it('accepts objects only', () => {
    assert.equal(isWireObject({}), true);
    for (const value of [null, [], 1, 'x', undefined, true]) assert.equal(isWireObject(value), false);
  });
});
