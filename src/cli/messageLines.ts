/** Streams of one turn's messages, cut into whole lines as they grow. */
export interface MessageLines {
  /** The text of `key` goes on. Gives the lines that are complete now, with what was left of another message first. */
  append(key: string, text: string): string;
  /** The text of `key` now stands as given. Gives what that adds, or null when what was shown no longer stands. */
  replace(key: string, text: string): string | null;
  /** What was left of the last message, as a line. */
  flush(): string;
}

/** `show` turns whole lines of a message into what is printed; it alone sees the agents' text. */
export function createMessageLines(show: (key: string, lines: string) => string): MessageLines {
  const whole = new Map<string, string>();
  let current = '';
  let rest = '';

  function flush(): string {
    const left = rest === '' ? '' : show(current, `${rest}\n`);
    rest = '';
    return left;
  }

  function append(key: string, text: string): string {
    const before = current === key ? '' : flush();
    current = key;
    whole.set(key, (whole.get(key) ?? '') + text);
    const end = text.lastIndexOf('\n') + 1;
    const lines = end === 0 ? '' : show(key, rest + text.slice(0, end));
    rest = end === 0 ? rest + text : text.slice(end);
    return before + lines;
  }

  return {
    append,
    replace(key, text) {
      const known = whole.get(key) ?? '';
      if (text.startsWith(known)) return text === known ? '' : append(key, text.slice(known.length));
      whole.set(key, text);
      if (current === key) rest = '';
      return null;
    },
    flush,
  };
}
