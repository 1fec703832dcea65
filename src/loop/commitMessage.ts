import { isOpen } from '../shared/isOpen.ts';
import { count, ending } from '../shared/runWords.ts';
import type { RunView } from '../shared/view.ts';

const SUBJECT = 72;
const WIDTH = 72;
/** Findings that are named. */
const MOST = 10;

/**
 * What a commit of the run's work could be called: a subject of at most 72 characters from the task, then what was asked
 * for, how many rounds it took with which scores, and which findings were solved on the way. Without a trailer. Pure.
 */
export function commitMessage(view: RunView): string {
  const { run } = view;
  if (run === null) return '';
  const task = run.task.trim();
  const subject = subjectOf(task);
  const parts = [subject];
  if (task.replace(/[.。]$/, '') !== subject) parts.push(wrapped(task));
  const rounds = view.rounds.filter(({ number }) => number > 0).length;
  const scores = view.scores.flatMap(({ score }) => (score === null ? [] : [score]));
  const how = view.ending === null ? '' : ` ${ending(view.ending, scores)}`;
  const name = (role: 'execute' | 'review') =>
    (view.agents[role] ?? (role === 'execute' ? run.executor : run.reviewer)).name;
  parts.push(
    wrapped(`${name('execute')} worked on it in ${count(rounds, 'round')}, ${name('review')} reviewed it.${how}`),
  );
  const solved = view.findings.filter(({ status }) => status === 'fixed');
  if (solved.length > 0) parts.push(['Found by the review and solved:', ...listed(solved)].join('\n'));
  const open = view.findings.filter((finding) => isOpen(finding));
  if (open.length > 0) parts.push(['Found by the review and open:', ...listed(open)].join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function listed(findings: RunView['findings']): readonly string[] {
  const lines = findings.slice(0, MOST).map(({ title, file }) => {
    const place = file === undefined ? '' : ` (${file})`;
    return wrapped(`- ${oneLine(title)}${place}`, '  ');
  });
  return findings.length > MOST ? [...lines, `- and ${findings.length - MOST} more`] : lines;
}

/** The task's first line without the dot at its end; a longer one is cut between two words. */
function subjectOf(task: string): string {
  const first = oneLine(task.split('\n')[0] ?? '').replace(/[.。]$/, '');
  if ([...first].length <= SUBJECT) return first;
  const head = [...first].slice(0, SUBJECT - 1).join('');
  const space = head.lastIndexOf(' ');
  return `${(space > SUBJECT / 2 ? head.slice(0, space) : head).trimEnd()}…`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Each line broken between words; what is longer than a line stays whole. */
function wrapped(text: string, indent = ''): string {
  return text
    .split('\n')
    .map((line) => {
      const lines: string[] = [];
      let current = '';
      for (const word of line.trimEnd().split(' ')) {
        const next = current === '' ? word : `${current} ${word}`;
        if (current !== '' && [...next].length > WIDTH) {
          lines.push(current);
          current = `${indent}${word}`;
        } else current = next;
      }
      return [...lines, current].join('\n');
    })
    .join('\n');
}
