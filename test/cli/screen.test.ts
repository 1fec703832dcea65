import assert from 'node:assert/strict';
import { createScreen } from '../../src/cli/screen.ts';

const CLEAR = '\r\u001b[2K';

function screenOf(columns: number | null) {
  let written = '';
  const write = (text: string) => {
    written += text;
    return true;
  };
  return { screen: createScreen({ write }, () => columns), written: () => written };
}

describe('screen', () => {
  it('keeps the status line below what is printed', () => {
    const { screen, written } = screenOf(80);
    screen.status('working');
    screen.print('line\n');
    screen.status('done');
    screen.status('done');
    screen.status('');
    screen.print('end\n');
    assert.equal(written(), `working${CLEAR}line\nworking${CLEAR}done${CLEAR}end\n`);
  });

  it('never lets the status line wrap', () => {
    const { screen, written } = screenOf(10);
    screen.status('0123456789abc');
    assert.equal(written(), '01234567…');
  });

  it('shows the end of a line that is being typed', () => {
    const { screen, written } = screenOf(10);
    screen.status('Say why: 这个字▏');
    assert.equal(written(), '… 这个字▏');
  });

  it('writes plain lines only where there is no terminal', () => {
    const { screen, written } = screenOf(null);
    screen.status('working');
    screen.print('line\n');
    screen.print('');
    assert.equal(written(), 'line\n');
  });
});
