import { Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { Child, ChildExit } from './childProcess.ts';

/** One line of a wire as it stood there (`out`: from us to the agent), or the end of the process. */
export type ChildTrace =
  | { readonly dir: 'in' | 'out'; readonly line: string }
  | { readonly dir: 'exit'; readonly exit: ChildExit; readonly stderr: string };

/**
 * The same child, every line of it told on the way. What comes in is told before the one who reads it acts on it, so that
 * the lines stand in the order of cause and effect. To be called in the tick of the spawn.
 */
export function traceChild(child: Child, tell: (event: ChildTrace) => void): Child {
  const incoming = lines((line) => tell({ dir: 'in', line }));
  const outgoing = lines((line) => tell({ dir: 'out', line }));
  child.stdout.on('data', (chunk: Buffer) => incoming.push(chunk));
  const stdin = new Writable({
    write(chunk: Buffer, _encoding, done) {
      outgoing.push(chunk);
      child.stdin.write(chunk, done);
    },
    final(done) {
      outgoing.end();
      child.stdin.end(done);
    },
  });
  // A pipe that breaks is told by the end of the process, here as without a trace.
  stdin.on('error', () => undefined);
  void child.exited.then((exit) => {
    incoming.end();
    tell({ dir: 'exit', exit, stderr: child.stderrTail() });
  });
  return { ...child, stdin };
}

function lines(tell: (line: string) => void): { push(chunk: Buffer): void; end(): void } {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  const take = (text: string): void => {
    const [first = '', ...more] = text.split('\n');
    parts.push(first);
    for (const next of more) {
      tell(parts.join('').replace(/\r$/, ''));
      parts = [next];
    }
  };
  return {
    push: (chunk) => take(decoder.write(chunk)),
    end() {
      take(decoder.end());
      const rest = parts.join('');
      parts = [];
      if (rest !== '') tell(rest);
    },
  };
}
