import type { Finding } from '../shared/review.ts';
import type { Translate } from '../shared/translate.ts';

/** How the finding stands, in a few words. */
export function findingState({ status, disputed, late, fixedBy }: Finding, t: Translate): string {
  switch (status) {
    case 'open': {
      const besides = [
        ...(disputed === undefined ? [] : [t('disputed by the executor')]),
        ...(late === true ? [t('raised late')] : []),
      ];
      return [t('open'), ...besides].join(' · ');
    }
    case 'regressed':
      return t('open again');
    case 'fixed':
      return fixedBy === undefined ? t('fixed') : t('fixed in round {0}', fixedBy.round);
    case 'withdrawn':
      return t('withdrawn by the reviewer');
    case 'dismissed':
      return t('dismissed by you');
    default:
      return status satisfies never;
  }
}

/** The finding as Markdown: title, detail, suggestion, and what has become of it. */
export function findingMarkdown(finding: Finding, t: Translate): string {
  const { title, detail, suggestion, disputed, reason, fixedBy } = finding;
  const about = (label: string, text: string | undefined) =>
    text === undefined || text.trim() === '' ? [] : [`**${label}** ${withoutPictures(text)}`];
  return [
    `**${escaped(title)}**`,
    ...(detail.trim() === '' ? [] : [withoutPictures(detail)]),
    ...about(t('Fix:'), suggestion),
    ...about(t('The executor disagrees:'), disputed),
    ...about(t('Dismissed:'), reason),
    ...(fixedBy === undefined ? [] : [`**${t('Fixed by:')}**\n\n${fenced(fixedBy.hunk)}`]),
  ].join('\n\n');
}

/**
 * A picture in a model's text would be fetched from wherever it lies, which tells that somebody reads it: it stays text.
 * In what looks like code a character without width does the same, so that the code reads as it is.
 */
export function withoutPictures(text: string): string {
  const parts = text.split(/(`{3,}[\s\S]*?(?:`{3,}|$)|`[^`\n]*`)/);
  return parts.map((part, at) => part.replaceAll('![', at % 2 === 0 ? '!\\[' : '!\u200b[')).join('');
}

function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#+!|~-]/g, '\\$&');
}

function fenced(hunk: string): string {
  const longest = Math.max(2, ...[...hunk.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${hunk.trimEnd()}\n${fence}`;
}
