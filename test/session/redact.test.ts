import assert from 'node:assert/strict';
import { createRedactor, knownSecrets, REDACTED, withoutSecrets } from '../../src/session/redact.ts';

describe('knownSecrets', () => {
  it('are the given keys, the agents’ variables, and long values of variables that are named like secrets', () => {
    const env = {
      ANTHROPIC_API_KEY: 'sk-test8',
      GEMINI_API_KEY: '',
      NPM_TOKEN: 'a-long-enough-token-value',
      MY_TOKEN: 'development',
      SSH_KEY: '/home/me/.ssh/id_ed25519_long_name',
      PATH: 'a-long-enough-path-value',
      MONKEY: 'a-long-enough-monkey-name',
    };
    assert.deepEqual(knownSecrets(env, { gemini: { GEMINI_API_KEY: 'short' } }), [
      'a-long-enough-token-value',
      'sk-test8',
      'short',
    ]);
  });
});

describe('withoutSecrets', () => {
  const secrets = ['planted-key'];

  it('gives the same value when there is nothing to take out', () => {
    const value = { type: 'x', deep: [{ text: 'nothing' }] };
    assert.equal(withoutSecrets(value, secrets), value);
    const holding = { text: 'planted-key' };
    assert.equal(withoutSecrets(holding, []), holding);
  });

  it('takes it out of every string, keys too, and leaves the given value alone', () => {
    const value = {
      text: 'a planted-key b planted-key',
      list: ['planted-key', 1, null],
      'planted-key': { n: 'planted-key' },
    };
    assert.deepEqual(withoutSecrets(value, secrets), {
      text: `a ${REDACTED} b ${REDACTED}`,
      list: [REDACTED, 1, null],
      [REDACTED]: { n: REDACTED },
    });
    assert.equal(value.list[0], 'planted-key');
  });
});

describe('createRedactor', () => {
  const redact = createRedactor(['planted-key'], '/home/me');

  it('takes out known keys and what is shaped like one', () => {
    for (const key of [
      'planted-key',
      'sk-ant-api03-abcdefghijklmnop',
      'AIzaSyA-abcdefghijklmnopqrstuvwxyz01234',
      'ghp_abcdefghijklmnopqrst0123456789abcdef',
      'AKIAABCDEFGHIJKLMNOP',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijkl',
      '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----',
    ])
      assert.equal(redact(`before ${key} after`), `before ${REDACTED} after`, key);
  });

  it('takes out authorization, whatever its value looks like, and JSON stays JSON', () => {
    const object = { headers: { Authorization: 'Bearer abc.def', 'x-api-key': 'xyz' }, text: '{"access_token":"t0k"}' };
    assert.deepEqual(JSON.parse(redact(JSON.stringify(object))), {
      headers: { Authorization: `Bearer ${REDACTED}`, 'x-api-key': REDACTED },
      text: `{"access_token":"${REDACTED}"}`,
    });
    assert.equal(redact('Authorization: Basic Zm9v'), `Authorization: Basic ${REDACTED}`);
  });

  it('shortens the home folder, and no other folder that begins like it', () => {
    assert.equal(redact('"/home/me/project" /home/me /home/me2 /home/me.old'), '"~/project" ~ /home/me2 /home/me.old');
    const windows = createRedactor([], 'C:\\Users\\me');
    assert.equal(windows(JSON.stringify({ path: 'C:\\Users\\me\\a' })), '{"path":"~\\\\a"}');
  });

  it('leaves ordinary words alone', () => {
    const text = 'The task-runner asks sk-learn for a key; api keys: none. risk-averse-people-and-so-on';
    assert.equal(redact(text), text);
  });
});
