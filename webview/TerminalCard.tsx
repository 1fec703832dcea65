/** @jsxRuntime automatic @jsxImportSource preact */
import type { TerminalEnd } from '../src/shared/ending.ts';
import type { RequestItem, TerminalItem } from '../src/shared/view.ts';
import { Disclosure } from './Disclosure.tsx';
import { Icon, type Tone } from './Icon.tsx';
import { Output } from './Output.tsx';
import type { Page } from './state.ts';
import { t } from './words.ts';

interface Props {
  readonly id: string;
  readonly open: boolean | undefined;
  readonly all: boolean;
  readonly page: Page;
}

/** A command that we run for an agent and that no tool call shows. */
export function TerminalCard({ item, id, open, all, page }: Props & { item: TerminalItem }) {
  const state = stateOf(item.end);
  const title = (
    <>
      <Icon name="terminal" />
      <span class="grow title">{item.command}</span>
      <span class="state">
        <Icon name={state.icon} tone={state.tone} spin={state.icon === 'loading'} />
        <span class={state.loud ? '' : 'sr-only'}>{state.text}</span>
      </span>
    </>
  );
  return (
    <Disclosure id={id} open={open ?? true} page={page} class="tool" summary={title}>
      {() => <TerminalOutput item={item} id={id} all={all} page={page} />}
    </Disclosure>
  );
}

/** The newest output of a command, with the command itself and how it stands. */
export function TerminalOutput({ item, id, all, page }: Omit<Props, 'open'> & { item: TerminalItem }) {
  const { loud, text } = stateOf(item.end);
  return (
    <>
      <pre class="code">$ {item.command}</pre>
      {item.cut && <p class="quiet">{t('Earlier output is not kept.')}</p>}
      {item.output !== '' && (
        <Output
          text={item.output}
          id={`${id}/all`}
          all={all}
          page={page}
          openAll={() => page.post({ type: 'openTerminal', terminalId: item.terminalId })}
        />
      )}
      {loud && <p class="quiet">{text}</p>}
    </>
  );
}

interface StateWords {
  readonly icon: string;
  readonly text: string;
  readonly tone: Tone;
  readonly loud: boolean;
}

function stateOf(end: TerminalEnd | null): StateWords {
  if (end === null) return { icon: 'loading', text: t('running'), tone: 'quiet', loud: false };
  if (end.problem !== undefined) return { icon: 'error', text: end.problem, tone: 'bad', loud: true };
  switch (end.by) {
    case 'agent':
      return { icon: 'circle-slash', text: t('ended by the agent'), tone: 'warn', loud: true };
    case 'stop':
      return { icon: 'circle-slash', text: t('stopped'), tone: 'warn', loud: true };
    case 'itself':
      if (end.exitCode === 0) return { icon: 'check', text: t('done'), tone: 'good', loud: false };
      return {
        icon: 'error',
        text:
          end.signal === null ? t('exit code {0}', `${end.exitCode ?? '?'}`) : t('ended by the signal {0}', end.signal),
        tone: 'bad',
        loud: true,
      };
    default:
      return end.by satisfies never;
  }
}

/** A request of an agent to us that was not carried out, with the reason. */
export function RequestRow({ item }: { item: RequestItem }) {
  const failed = item.state === 'error';
  return (
    <div class="row">
      <Icon name={failed ? 'error' : 'circle-slash'} tone={failed ? 'bad' : 'warn'} />
      <span class="grow">
        {item.subject} <span class="quiet">{item.why}</span>
      </span>
      <span class="state">{reasonWord(item)}</span>
    </div>
  );
}

function reasonWord({ reason }: RequestItem): string {
  switch (reason) {
    case 'denied':
      return t('denied');
    case 'stopped':
      return t('stopped');
    case 'failed':
      return t('failed');
    case 'noResult':
      return t('no result reported');
    default:
      return reason satisfies never;
  }
}
