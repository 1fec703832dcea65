// A demo agent behind a wire that breaks: `faultyAgent.mjs ROLE FAULT MOMENT MARKER …` passes lines both ways, watches
// for the moment, and then does the fault. It writes the file MARKER when it did, so that a test knows that it was. What
// the demo agents never do is put on the wire here: a sign-in, and a reviewer that asks. The moment `paused` is no line:
// it comes when the test writes MARKER.go.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const [role, fault, moment, marker, ...args] = process.argv.slice(2);
const agents = path.resolve(import.meta.dirname, '../../dist/demo-agents.cjs');
const agent = spawn(process.execPath, [agents, role, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
agent.once('exit', (code) => {
  if (!hung) process.exit(code ?? 1);
});
agent.stdin.on('error', () => {});
process.stdout.on('error', () => process.exit(0));
// `--version` and other short calls are none of the matrix's business.
if (args.includes('--version')) {
  agent.stdout.pipe(process.stdout);
  process.stdin.pipe(agent.stdin);
}

let hung = false;
let done = false;
/** How the next line out is changed; null: passed on as it is. */
let changeNext = null;

const MOMENTS = {
  executor: {
    initialize: (dir, m) => dir === 'in' && m.request?.subtype === 'initialize',
    streaming: (dir, m) => dir === 'out' && m.type === 'stream_event',
    permission: (dir, m) => dir === 'out' && m.type === 'control_request',
    tool: (dir, m) => dir === 'out' && m.type === 'assistant' && JSON.stringify(m).includes('"tool_use"'),
    cancel: (dir, m) => dir === 'in' && m.request?.subtype === 'interrupt',
    between: (dir, m) => dir === 'out' && m.type === 'result',
    paused: () => false,
    shutdown: (dir) => dir === 'end',
  },
  reviewer: {
    initialize: (dir, m) => dir === 'in' && m.method === 'initialize',
    authenticate: (dir, m) => dir === 'in' && m.method === 'authenticate',
    new: (dir, m) => dir === 'in' && m.method === 'session/new',
    permission: (dir, m) => dir === 'out' && m.method === 'session/request_permission',
    streaming: (dir, m) => dir === 'out' && m.params?.update?.sessionUpdate === 'agent_message_chunk',
    tool: (dir, m) => dir === 'out' && m.params?.update?.sessionUpdate === 'tool_call',
    cancel: (dir, m) => dir === 'in' && m.method === 'session/cancel',
    between: (dir, m) => dir === 'out' && m.result?.stopReason !== undefined,
    paused: () => false,
    shutdown: (dir) => dir === 'end',
  },
};
const isMoment = MOMENTS[role][moment];
if (!isMoment) throw new Error(`${role} has no moment ${moment}`);

const write = (text) => process.stdout.write(text);
const die = (code) => {
  agent.kill('SIGKILL');
  process.exit(code);
};
const hang = () => {
  hung = true;
  agent.kill('SIGKILL');
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000_000);
};
const rpc = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;

const FAULTS = {
  exit0: () => die(0),
  exit1: () => die(1),
  SIGKILL: () => {
    agent.kill('SIGKILL');
    process.kill(process.pid, 'SIGKILL');
  },
  hang,
  halfLine() {
    hung = true;
    agent.kill('SIGKILL');
    process.stdout.write(
      role === 'executor' ? '{"type":"assistant","message":{"con' : '{"jsonrpc":"2.0","method":"sess',
      () => process.exit(1),
    );
  },
  noise() {
    for (let i = 0; i < 50; i++) write(`[debug] line ${i} \u001b[31mof noise\u001b[0m\n`);
  },
  longLine() {
    const filler = 'x'.repeat(5 * 1024 * 1024);
    write(
      role === 'executor'
        ? `${JSON.stringify({ type: 'brand_new', filler })}\n`
        : rpc({ method: '_brand/new', params: { filler } }),
    );
  },
  endlessLine() {
    hung = true;
    agent.kill('SIGKILL');
    const piece = 'x'.repeat(1024 * 1024);
    let left = 80;
    const more = () => {
      while (left-- > 0) if (!process.stdout.write(piece)) return process.stdout.once('drain', more);
      process.stdout.end(() => process.exit(1));
    };
    more();
  },
  deaf() {
    // Nobody reads our input any more: what is written to it breaks (EPIPE), and nothing is answered.
    process.stdin.destroy();
    fs.closeSync(0);
    hang();
  },
  mute() {
    // Our output is closed, and the process lives on.
    hung = true;
    agent.kill('SIGKILL');
    process.stdout.end();
    fs.closeSync(1);
    setInterval(() => {}, 1_000_000);
  },
  wrongIds() {
    changeNext = (m) => {
      if (m.type === 'control_response') return { ...m, response: { ...m.response, request_id: 'never-asked' } };
      if (m.method === undefined && m.id !== undefined) return { ...m, id: 987654 };
      return null;
    };
    write(
      role === 'executor'
        ? `${JSON.stringify({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody' } })}\n`
        : rpc({ id: 'nobody', result: {} }),
    );
  },
  unknownVariants() {
    write(
      role === 'executor'
        ? `${JSON.stringify({ type: 'brand_new_2027' })}\n${JSON.stringify({ type: 'system', subtype: 'brand_new' })}\n`
        : rpc({ method: 'session/update', params: { sessionId: 's', update: { sessionUpdate: 'brand_new_2027' } } }) +
            rpc({ method: 'brand/new', params: {} }) +
            rpc({ id: 'ours', method: 'brand/new_request', params: {} }),
    );
  },
  malformed() {
    write(
      role === 'executor'
        ? `${JSON.stringify({ type: 'assistant', message: 7 })}\n${JSON.stringify({ type: 'control_request', request_id: 'm1', request: { subtype: 'can_use_tool' } })}\n`
        : rpc({ method: 'session/update', params: { sessionId: 5, update: [] } }) +
            rpc({ id: 'm1', method: 'session/request_permission', params: { options: 'all' } }),
    );
  },
};

/** A sign-in before the first session, as an agent asks for it that knows nobody yet. */
function signIn(dir, message) {
  if (dir === 'out' && message.result?.agentInfo !== undefined) {
    message.result.authMethods = [{ id: 'demo-login', name: 'Sign in', description: null }];
    return { type: 'changed', line: JSON.stringify(message) };
  }
  if (dir === 'in' && message.method === 'session/new' && !signedIn) {
    write(rpc({ id: message.id, error: { code: -32000, message: 'Authentication required' } }));
    return { type: 'answered' };
  }
  if (dir === 'in' && message.method === 'authenticate') {
    signedIn = true;
    return {
      type: 'own',
      answer: () =>
        hung ||
        pass('out', JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {} }), (text) => write(`${text}\n`)),
    };
  }
  return { type: 'passed' };
}
let signedIn = false;

/** A reviewer that wants to write, once: it is asked for before its first call goes on. */
function asks(dir, message) {
  if (dir !== 'out' || hasAsked || message.params?.update?.sessionUpdate !== 'tool_call') return;
  hasAsked = true;
  const options = [
    { optionId: 'once', name: 'Allow', kind: 'allow_once' },
    { optionId: 'no', name: 'Reject', kind: 'reject_once' },
  ];
  const toolCall = { toolCallId: 'write-1', title: 'Write a file', kind: 'edit', status: 'pending' };
  const { sessionId } = message.params;
  const line = rpc({ id: 'ask-1', method: 'session/request_permission', params: { sessionId, toolCall, options } });
  pass('out', line.trimEnd(), (text) => write(`${text}\n`));
}
let hasAsked = false;

function doFault() {
  done = true;
  fs.writeFileSync(marker, fault);
  FAULTS[fault]();
}

if (moment === 'paused') {
  const watch = setInterval(() => {
    if (!fs.existsSync(`${marker}.go`)) return;
    clearInterval(watch);
    doFault();
  }, 10);
  watch.unref();
}

function pass(dir, line, forward) {
  let message = {};
  try {
    message = JSON.parse(line) ?? {};
  } catch {}
  if (role === 'reviewer' && moment === 'permission') asks(dir, message);
  if (role === 'reviewer' && moment === 'authenticate') {
    const told = signIn(dir, message);
    if (told.type === 'answered') return;
    if (told.type === 'changed') return forward(told.line);
    if (told.type === 'own') {
      if (!done) doFault();
      told.answer();
      return;
    }
  }
  if (dir === 'out' && changeNext !== null) {
    const changed = changeNext(message);
    if (changed !== null) {
      changeNext = null;
      forward(JSON.stringify(changed));
      return;
    }
  }
  if (done || !isMoment(dir, message)) return forward(line);
  // What the moment consists of is on the wire first, where it is our own line.
  if (dir === 'out') forward(line);
  doFault();
  if (dir === 'in' && !hung) forward(line);
}

function lines(stream, onLine, onEnd) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop();
    for (const part of parts) onLine(part);
  });
  stream.on('end', onEnd);
  stream.on('error', () => {});
}

if (!args.includes('--version')) {
  lines(
    process.stdin,
    (line) => pass('in', line, (text) => agent.stdin.write(`${text}\n`)),
    () => pass('end', '{}', () => agent.stdin.end()) ?? (hung || agent.stdin.end()),
  );
  lines(
    agent.stdout,
    (line) => hung || pass('out', line, (text) => write(`${text}\n`)),
    () => {},
  );
}
