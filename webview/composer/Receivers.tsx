/** @jsxRuntime automatic @jsxImportSource preact */
import type { AgentChoice, HostState } from '../../src/shared/messages.ts';
import { Icon } from '../Icon.tsx';
import { useFocusWithin } from '../roving.ts';
import type { Page } from '../state.ts';
import { t } from '../words.ts';

interface Props {
  /** Catalog ids. */
  readonly executor: string;
  readonly reviewer: string;
  readonly host: HostState;
}

/** Which company receives what from these two agents. */
export function Receivers({ executor, reviewer, host }: Props) {
  const ids = [...new Set([executor, reviewer])];
  return (
    <>
      {ids.map((id) => (
        <p key={id}>{receiverWords(host.agents.find((agent) => agent.id === id) ?? null, id)}</p>
      ))}
      <p>
        {t(
          'Agents are programs of this machine: they read and write its files by themselves, and what they run can do what you can do.',
        )}
      </p>
    </>
  );
}

function receiverWords(agent: AgentChoice | null, id: string): string {
  const name = agent?.name ?? id;
  if (agent === null || agent.company === null) {
    return t('{0} sends what it is given and what it reads to the service that it is set up for.', name);
  }
  if (agent.company === '') return t('{0} is a part of this extension and sends nothing anywhere.', name);
  return t('{0} sends what it is given and what it reads to {1}.', name, agent.company);
}

/** Stands before the first run of an installation. */
export function ConsentCard({ executor, reviewer, host, page }: Props & { readonly page: Page }) {
  return (
    // It answers the key or the click that asked for a run.
    <section ref={useFocusWithin<HTMLElement>()} class="card consent" aria-label={t('Who receives what')}>
      <p class="row">
        <Icon name="info" tone="quiet" />
        <strong class="grow">{t('Before the first run: who receives what')}</strong>
      </p>
      <Receivers executor={executor} reviewer={reviewer} host={host} />
      <div class="options">
        <button type="button" class="primary" onClick={() => page.post({ type: 'consent', known: true })}>
          {t('Understood, Run')}
        </button>
        <button type="button" onClick={() => page.post({ type: 'consent', known: false })}>
          {t('Not Now')}
        </button>
      </div>
    </section>
  );
}
