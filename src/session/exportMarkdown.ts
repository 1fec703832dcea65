import { isOpen } from '../shared/isOpen.ts';
import type { Finding } from '../shared/review.ts';
import { changes, count, duration, ending, score, usage } from '../shared/runWords.ts';
import type { CheckItem, Item, ReviewItem, RoundView, RunView, TurnItem } from '../shared/view.ts';
import { type RunExport, textsOf } from './exportJson.ts';

/**
 * The whole story of a run as Markdown: what was asked for, and for each round what was said and done, what changed,
 * checks and review, then the findings and the ending. What agents wrote is quoted, so that its headings are none of
 * this document's. `told`: the same run as `exportRun` gives it. Pure.
 */
export function exportMarkdown(view: RunView, told: RunExport): string {
  const rounds = view.rounds.filter(({ number }) => number > 0);
  const parts = [
    [`# ${titleOf(told)}`, ...aboutRun(told, view)],
    ...(told.kind === 'task' ? [['## Task', quoted(told.task)]] : []),
    ...rounds.map((round) => roundLines(round, told)),
    ...(view.findings.length === 0 ? [] : [['## Findings', findingTable(view.findings)]]),
    ['## Ending', endingWords(view, told)],
  ];
  return `${parts.flat().join('\n\n')}\n`;
}

function titleOf({ task, id }: RunExport): string {
  const [first = ''] = task.trim().split('\n');
  const short = first.length > 100 ? `${first.slice(0, 99)}…` : first;
  return short === '' ? `Run ${id}` : inline(short);
}

function aboutRun(told: RunExport, view: RunView): readonly string[] {
  const { executor, reviewer, settings, startedAt } = told;
  const who =
    executor === null
      ? `${inline(reviewer.name)} reviewed`
      : `${inline(executor.name)} executed, ${inline(reviewer.name)} reviewed`;
  const limits = `up to ${count(settings.rounds, 'round')}, approved from ${score(settings.threshold)}, permission ${settings.permission}`;
  const took = view.startedAt === null || view.endedAt === null ? '' : `, ${duration(view.endedAt - view.startedAt)}`;
  const used = [executor, reviewer].flatMap((agent) => {
    const words = usage(agent?.usage ?? null);
    return agent === null || words === '' ? [] : [`${inline(agent.name)} ${words}`];
  });
  const lines = [
    `Run \`${told.id}\`${startedAt === null ? '' : `, begun ${startedAt}`}${took}`,
    `${who}; ${limits}`,
    ...(told.range === null ? [] : [`Reviewed: ${code(told.range)}`]),
    `Folder ${code(told.folder)}`,
    ...(used.length === 0 ? [] : [`Used: ${used.join(' · ')}`]),
  ];
  return [lines.map((line) => `- ${line}`).join('\n')];
}

function roundLines(round: RoundView, told: RunExport): readonly string[] {
  const facts = [
    ...(round.review === null ? [] : [score(round.review.verdict.score)]),
    ...(round.changes === null ? [] : [changes(round.changes)]),
    ...(round.endedAt === null ? [] : [duration(round.endedAt - round.startedAt)]),
  ];
  const worked = round.turns.filter(({ role }) => role === 'execute');
  const judged = round.turns.filter(({ role }) => role === 'review');
  return [
    `## Round ${round.number}${facts.length === 0 ? '' : ` — ${facts.join(' · ')}`}`,
    ...worked.flatMap((turn) => turnLines(round, turn, told.executor?.name ?? 'Executor')),
    ...changedFiles(round),
    ...(round.checks.length === 0 ? [] : ['### Checks', round.checks.map(checkLine).join('\n')]),
    ...judged.flatMap((turn) => turnLines(round, turn, told.reviewer.name)),
    ...(round.review === null ? [] : reviewLines(round.review, told.settings.threshold)),
    ...markLines(round),
  ];
}

function turnLines(round: RoundView, turn: TurnItem, name: string): readonly string[] {
  const { outcome } = turn;
  const ended =
    outcome === null
      ? ['*The turn never ended.*']
      : outcome.type === 'completed'
        ? []
        : outcome.type === 'cancelled'
          ? [`*Cancelled by the ${outcome.by}.*`]
          : [`*${outcome.type === 'failed' ? 'Failed' : 'Cut off'} (${outcome.cause}): ${inline(outcome.message)}*`];
  const done = round.items.flatMap((item) => (item.turn === turn.turn ? actionLine(item) : []));
  const said = textsOf(round, turn.turn).map(quoted);
  return [
    `### ${inline(name)} ${turn.role === 'execute' ? 'worked' : 'reviewed'}`,
    ...(done.length === 0 ? [] : [done.join('\n')]),
    ...said,
    ...ended,
  ];
}

/** What was done in a turn, and what was asked. */
function actionLine(item: Item): readonly string[] {
  switch (item.type) {
    case 'tool':
      return [`- ${inline(item.title ?? item.toolName ?? 'A tool call')} (${item.reason ?? item.state})`];
    case 'permission': {
      const { request, resolution } = item;
      const answer = resolution?.answer;
      const option =
        answer?.outcome === 'selected' ? request.options.find((one) => one.optionId === answer.optionId) : undefined;
      const how = option === undefined ? 'not answered' : option.name;
      return [`- Asked: ${inline(request.title)} → ${inline(how)} (${resolution?.by ?? 'open'})`];
    }
    case 'request':
      return [`- Refused: ${inline(`${item.method} ${item.subject}`)} (${inline(item.why)})`];
    default:
      return [];
  }
}

function changedFiles(round: RoundView): readonly string[] {
  if (round.changes === null || round.changes.length === 0) return [];
  const rows = round.changes.map(
    ({ path, status, added, removed }) =>
      `| ${code(path)} | ${status} | ${added === null ? 'binary' : `+${added} −${removed ?? 0}`} |`,
  );
  return ['### Changes', ['| file | | lines |', '| --- | --- | --- |', ...rows].join('\n')];
}

function checkLine({ command, end }: CheckItem): string {
  if (end === null) return `- ${code(command)}: never ended`;
  const how = end.problem ?? (end.exitCode === null ? `ended by ${end.signal ?? end.by}` : `exit ${end.exitCode}`);
  return `- ${code(command)}: ${end.passed ? 'green' : 'red'}, ${inline(how)}`;
}

function reviewLines({ verdict, approved, blockedBy }: ReviewItem, threshold: number): readonly string[] {
  const word = verdict.status === 'unparsable' ? 'no verdict' : approved ? 'approved' : 'not approved';
  const remarks = [...verdict.warnings, ...blockedBy].map((one) => `- ${inline(one)}`).join('\n');
  return [
    `**${score(verdict.score)}, ${word}** (threshold ${threshold})`,
    ...(verdict.summary === '' ? [] : [quoted(verdict.summary)]),
    ...(remarks === '' ? [] : [remarks]),
  ];
}

/** The person's words and marks of a round that change what it means. */
function markLines(round: RoundView): readonly string[] {
  const lines = round.items.flatMap((item) => {
    if (item.type !== 'mark') return [];
    const { mark } = item;
    switch (mark.type) {
      case 'user.note':
        return [`- The person${mark.finding === undefined ? '' : `, about ${mark.finding}`}: ${inline(mark.text)}`];
      case 'run.paused':
        return [`- Paused: ${inline(mark.why)}`];
      case 'check.skipped':
        return [`- Not run: ${code(mark.command)} (${inline(mark.why)})`];
      case 'head.moved':
        return [`- HEAD was moved by the ${mark.by} to ${code(mark.to ?? 'nothing')}`];
      case 'run.undone':
        return [`- Undone: ${mark.scope?.type ?? 'run'}`];
      default:
        return [];
    }
  });
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function findingTable(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => {
    const { id, severity, file, line, title, openedInRound } = finding;
    const place = file === undefined ? '' : code(line === undefined ? file : `${file}:${line}`);
    return `| ${id} | ${severity} | ${place} | ${inline(title)} | ${inline(statusOf(finding))} | ${openedInRound} |`;
  });
  const details = findings
    .filter(({ detail, suggestion }) => detail !== '' || suggestion !== undefined)
    .map(({ id, detail, suggestion }) => {
      const more = suggestion === undefined ? '' : ` → ${suggestion}`;
      return `- **${id}** ${inline(`${detail}${more}`)}`;
    });
  const table = ['| | severity | place | | status | round |', '| --- | --- | --- | --- | --- | --- |', ...rows].join(
    '\n',
  );
  return details.length === 0 ? table : `${table}\n\n${details.join('\n')}`;
}

function statusOf({ status, reason, fixedBy, late, disputed }: Finding): string {
  const more = [
    ...(fixedBy === undefined ? [] : [`in round ${fixedBy.round}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(late === true ? ['late'] : []),
    ...(disputed === undefined ? [] : [`disputed: ${disputed}`]),
  ];
  return more.length === 0 ? status : `${status} (${more.join('; ')})`;
}

function endingWords(view: RunView, told: RunExport): string {
  const scores = view.scores.flatMap((point) => (point.score === null ? [] : [point.score]));
  const open = view.findings.filter((finding) => isOpen(finding)).length;
  const left = open === 0 ? '' : ` ${count(open, 'finding')} still open.`;
  const undone = told.undone ? ' Afterwards the folder was put back as it was before the run.' : '';
  const words = view.ending === null ? `None: the run is ${told.state}.` : ending(view.ending, scores);
  return `**${inline(words)}**${left}${undone}`;
}

/** Text of somebody else, as a quotation. */
function quoted(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}

/** On one line, with nothing in it that Markdown or HTML would obey. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>|#~]/g, '\\$&');
}

/** In back-ticks, more of them than there are in it. */
function code(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('|', '¦');
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const pad = longest > 0 ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
