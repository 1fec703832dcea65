/** @jsxRuntime automatic @jsxImportSource preact */

import { optionWords } from '../src/shared/optionWords.ts';
import type {
  PermissionAnswer,
  PermissionOffer,
  PermissionOption,
  PermissionRequest,
} from '../src/shared/permission.ts';
import { filledIn, formProblems } from '../src/shared/questionForm.ts';
import { questionOf, shortPath, subjectOf } from '../src/shared/questionWords.ts';
import type { PermissionItem, PermissionResolution } from '../src/shared/view.ts';
import { type FormDraft, firstDraft, valuesOf } from './formDraft.ts';
import { Icon } from './Icon.tsx';
import { QuestionFields } from './QuestionForm.tsx';
import { useFocusWithin } from './roving.ts';
import type { Page } from './state.ts';
import { Content, type RowProps } from './ToolCard.tsx';
import { t } from './words.ts';

interface Props extends RowProps {
  readonly item: PermissionItem;
  /** Words for a refusal while they are typed; undefined while that is closed. */
  readonly reply: string | undefined;
  /** The form as far as it is filled in; undefined before it was touched. */
  readonly draft: FormDraft | undefined;
  /** The answer is on its way. */
  readonly answered: boolean;
}

/** One question of an agent: the agent's own options in its order; once settled, one line that says by whom. */
export function PermissionCard(props: Props) {
  const { item, name, folder, id, all, page, reply, draft, answered } = props;
  const { request } = item;
  // The form says what is asked.
  const isForm = request.kind === 'ask' && request.asker !== 'loop' && request.form !== undefined;
  const what = isForm ? t('{0} asks you', name) : questionOf(item, name, folder, t);
  if (item.resolution !== null) return <Settled item={item} resolution={item.resolution} name={name} folder={folder} />;
  const answer = (given: PermissionAnswer) => {
    page.dispatch({ type: 'answered', permissionId: item.permissionId });
    page.post({ type: 'answer', permissionId: item.permissionId, answer: given });
  };
  const { form } = request;
  const filled = form === undefined ? undefined : (draft ?? firstDraft(form));
  const setDraft = (next: FormDraft) => page.dispatch({ type: 'form', permissionId: item.permissionId, draft: next });
  const choose = ({ optionId, kind }: PermissionOption) => {
    const allows = kind === 'allow_once' || kind === 'allow_always';
    if (form === undefined || filled === undefined || !allows) return answer({ outcome: 'selected', optionId });
    const values = valuesOf(form, filled);
    const [wrong] = formProblems(form, values).keys();
    if (wrong === undefined) return answer({ outcome: 'selected', optionId, form: values });
    setDraft({ ...filled, tried: true });
    document.getElementById(`${id}/${wrong}`)?.focus();
  };
  const once = request.options.find((option) => option.kind === 'allow_once');
  const refusal = request.options.find((option) => option.kind === 'reject_once');
  return (
    <fieldset class="card question stop" tabIndex={-1} disabled={answered} aria-labelledby={`${id}/what`}>
      <div class="question-head" id={`${id}/what`}>
        <Icon name="question" tone="warn" />
        {what}
      </div>
      {request.command !== undefined && <pre class="code command">{request.command}</pre>}
      {(request.unsaved ?? []).map((path) => (
        <p class="row" key={path}>
          <Icon name="warning" tone="warn" />
          <span class="grow">
            {t(
              '{0} has unsaved changes in the editor. {1} writes the file on disk and passes them by: save or discard them first.',
              shortPath(path, folder),
              name,
            )}
          </span>
        </p>
      ))}
      <Content content={request.content} id={id} folder={folder} all={all} page={page} />
      {hasOneDiff(request) && (
        <div class="links">
          <Icon name="diff" />
          <button
            type="button"
            class="link"
            onClick={() => page.post({ type: 'openDiff', permissionId: item.permissionId })}
          >
            {request.takesChange === true ? t('Open Diff to Read or Change It') : t('Open Diff')}
          </button>
        </div>
      )}
      {form !== undefined && filled !== undefined && (
        <QuestionFields form={form} draft={filled} id={id} onChange={setDraft} page={page} folder={folder} />
      )}
      <div class="options">
        {request.options.map((option) => (
          <div class="option" key={option.optionId}>
            <button type="button" class={option === once ? 'primary' : ''} onClick={() => choose(option)}>
              {optionWords(option.name, t)}
            </button>
            {option.scope !== undefined && <span class="quiet">{optionWords(option.scope, t)}</span>}
          </div>
        ))}
        {request.takesMessage && refusal !== undefined && reply === undefined && (
          <button
            type="button"
            class="link"
            onClick={() => page.dispatch({ type: 'reply', permissionId: item.permissionId, text: '' })}
          >
            {t('Refuse with a message…')}
          </button>
        )}
      </div>
      {once !== undefined && (
        <Offers
          offers={request.offers ?? []}
          choose={(offerId) => answer({ outcome: 'selected', optionId: once.optionId, offerId })}
        />
      )}
      {refusal !== undefined && reply !== undefined && (
        <Refusal item={item} option={refusal} name={name} reply={reply} page={page} answer={answer} />
      )}
    </fieldset>
  );
}

/** Only a single change can be decided where nothing but it is seen. */
function hasOneDiff({ content }: PermissionRequest): boolean {
  return content.filter((part) => part.type === 'diff').length === 1;
}

/** What can be allowed beyond this one call: what reaches past the run only on demand. */
function Offers({ offers, choose }: { offers: readonly PermissionOffer[]; choose: (offerId: string) => void }) {
  const isWide = (offer: PermissionOffer) => offer.type === 'command' && offer.scope !== 'session';
  const row = (offer: PermissionOffer) => (
    <div class="option" key={offer.offerId}>
      <button type="button" onClick={() => choose(offer.offerId)}>
        {offerName(offer)}
      </button>
      <span class="quiet">{offerReach(offer)}</span>
    </div>
  );
  const wide = offers.filter(isWide);
  return (
    <>
      {offers.length > wide.length && <div class="options">{offers.filter((offer) => !isWide(offer)).map(row)}</div>}
      {wide.length > 0 && (
        <details>
          <summary>{t('Always allow this command…')}</summary>
          <div class="options">{wide.map(row)}</div>
        </details>
      )}
    </>
  );
}

function offerName(offer: PermissionOffer): string {
  if (offer.type === 'runEdits') return t('Allow edits for this run');
  switch (offer.scope) {
    case 'session':
      return t('Always allow in this run');
    case 'workspace':
      return t('Always allow in this folder');
    case 'user':
      return t('Always allow, in every folder');
    default:
      return offer.scope satisfies never;
  }
}

function offerReach(offer: PermissionOffer): string {
  return offer.type === 'runEdits'
    ? t('Every edit inside the folder; protected places still ask.')
    : t('Exactly this command.');
}

interface RefusalProps {
  readonly item: PermissionItem;
  readonly option: PermissionOption;
  readonly name: string;
  readonly reply: string;
  readonly page: Page;
  readonly answer: (answer: PermissionAnswer) => void;
}

function Refusal({ item, option, name, reply, page, answer }: RefusalProps) {
  const { permissionId } = item;
  return (
    <form
      ref={useFocusWithin<HTMLFormElement>()}
      class="refusal"
      onSubmit={(event) => {
        event.preventDefault();
        answer({ outcome: 'selected', optionId: option.optionId, message: reply });
      }}
    >
      <input
        type="text"
        value={reply}
        aria-label={t('Message to {0}', name)}
        placeholder={t('What {0} should do instead', name)}
        onInput={(event) => page.dispatch({ type: 'reply', permissionId, text: event.currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') page.dispatch({ type: 'reply', permissionId, text: null });
        }}
      />
      <button type="submit" disabled={reply.trim() === ''}>
        {t('Refuse')}
      </button>
    </form>
  );
}

function Settled({
  item,
  resolution,
  name,
  folder,
}: {
  item: PermissionItem;
  resolution: PermissionResolution;
  name: string;
  folder: string;
}) {
  const { text, allowed } = settledWords(item, resolution, name);
  const filled = answerWords(item, resolution);
  return (
    <div class="row settled">
      <Icon name={allowed ? 'pass' : 'circle-slash'} tone={allowed ? 'good' : 'warn'} />
      <span class="grow">
        {text} <span class="quiet">{subjectOf(item, folder)}</span>
        {filled.map((text) => (
          <span key={text} class="quiet">
            {' · '}
            {text}
          </span>
        ))}
        {chosenOffer(item, resolution).map((offer) => (
          <span key={offer.offerId} class="quiet">
            {' · '}
            {offerName(offer)}
          </span>
        ))}
        {resolution.why !== null && <span class="quiet"> · {resolution.why}</span>}
      </span>
    </div>
  );
}

/** The offer that was chosen with the answer, if one was. */
function chosenOffer({ request }: PermissionItem, { answer }: PermissionResolution): readonly PermissionOffer[] {
  if (answer.outcome !== 'selected') return [];
  return (request.offers ?? []).filter(({ offerId }) => offerId === answer.offerId);
}

/** What was filled in, a text each; the question itself is left out where its title says it already. */
function answerWords({ request }: PermissionItem, { answer }: PermissionResolution): string[] {
  if (request.form === undefined || answer.outcome !== 'selected' || answer.form === undefined) return [];
  return filledIn(request.form, answer.form).map(({ label, value }) =>
    label === request.title ? value : `${label} ${value}`,
  );
}

function settledWords(item: PermissionItem, { by, answer }: PermissionResolution, name: string) {
  const option =
    answer.outcome === 'selected'
      ? item.request.options.find(({ optionId }) => optionId === answer.optionId)
      : undefined;
  const allowed = option?.kind === 'allow_once' || option?.kind === 'allow_always';
  return { text: settledText(by, allowed, option, name), allowed };
}

function settledText(
  by: PermissionResolution['by'],
  allowed: boolean,
  option: PermissionOption | undefined,
  name: string,
): string {
  switch (by) {
    case 'user':
      if (option === undefined) return t('You refused.');
      return allowed || option.kind === 'unknown'
        ? t('You answered “{0}”.', optionWords(option.name, t))
        : t('You refused: “{0}”.', optionWords(option.name, t));
    case 'policy':
      return allowed ? t('Allowed without asking you.') : t('Refused without asking you.');
    case 'withdrawn':
      return t('{0} took the question back.', name);
    case 'turnEnded':
      return t('Not answered: the turn ended.');
    case 'sessionCancel':
      return t('Not answered: the run was stopped.');
    case 'agentExit':
      return t('Not answered: {0} ended.', name);
    case 'dispose':
      return t('Not answered: the window was closed or reloaded.');
    default:
      return by satisfies never;
  }
}
