import type { AcpConfigOption } from '../protocol/acp.ts';
import type { NewSessionResult } from '../protocol/acpRequests.ts';
import type { AgentOption } from '../shared/agentEvents.ts';
import type { QuestionOption } from '../shared/question.ts';

/** What `session/new`, `session/load` and `session/resume` tell of a session. */
export type SessionState = Pick<NewSessionResult, 'modes' | 'models' | 'configOptions'>;

/** By which request an option is set. */
export type OptionWay = 'mode' | 'model' | 'config';

/** The one that is about the mode or the model, with what can be chosen, and how. */
export interface ChosenBy {
  readonly way: OptionWay;
  readonly id: string;
  readonly value: string;
  readonly choices: readonly string[];
}

/**
 * Everything that can be chosen in a session, in one list: its mode, its model (which old agents tell apart) and its
 * options. Where an option of the category `mode` or `model` is offered too, the option counts (session-config-options.mdx).
 */
export interface AcpOptions {
  /** Takes what a session begins with. */
  begin(state: SessionState): void;
  /** All options as they are now. */
  replace(options: readonly AcpConfigOption[]): void;
  setMode(modeId: string): void;
  setModel(modelId: string): void;
  all(): readonly AgentOption[];
  /** The way to choose the mode or the model; null: the agent offers none. */
  find(category: 'mode' | 'model'): ChosenBy | null;
}

export function createAcpOptions(): AcpOptions {
  let mode: AgentOption | null = null;
  let model: AgentOption | null = null;
  let own: readonly AgentOption[] = [];

  const ownOf = (category: string): AgentOption | undefined => own.find((one) => one.category === category);

  return {
    begin({ modes, models, configOptions }) {
      mode =
        modes == null
          ? null
          : choice(
              'mode',
              'Mode',
              modes.currentModeId,
              modes.availableModes.map(({ id, ...rest }) => named(id, rest)),
            );
      model =
        models == null
          ? null
          : choice(
              'model',
              'Model',
              models.currentModelId,
              models.availableModels.map(({ modelId, ...rest }) => named(modelId, rest)),
            );
      own = (configOptions ?? []).flatMap(optionOf);
    },
    replace(options) {
      own = options.flatMap(optionOf);
    },
    setMode(value) {
      if (mode?.type === 'choice') mode = { ...mode, value };
      own = own.map((one) => (one.type === 'choice' && one.category === 'mode' ? { ...one, value } : one));
    },
    setModel(value) {
      if (model?.type === 'choice') model = { ...model, value };
    },
    all: () => [
      ...(mode !== null && ownOf('mode') === undefined ? [mode] : []),
      ...(model !== null && ownOf('model') === undefined ? [model] : []),
      ...own,
    ],
    find(category) {
      const option = ownOf(category);
      if (option?.type === 'choice') return chosenBy('config', option);
      const legacy = category === 'mode' ? mode : model;
      return legacy?.type === 'choice' ? chosenBy(category, legacy) : null;
    },
  };
}

function chosenBy(way: OptionWay, option: Extract<AgentOption, { readonly type: 'choice' }>): ChosenBy {
  return { way, id: option.id, value: option.value, choices: option.choices.map(({ value }) => value) };
}

/** An option of the agent's own; none for a type that we do not know, which nobody could set. */
function optionOf(option: AcpConfigOption): readonly AgentOption[] {
  const { id, category, currentValue } = option;
  const head = { id, name: option.name ?? id, ...(category == null ? {} : { category }) };
  if (typeof currentValue === 'boolean') return [{ ...head, type: 'switch', value: currentValue }];
  if (currentValue === undefined) return [];
  const choices = (option.options ?? []).flatMap((one) =>
    one.options == null
      ? one.value === undefined
        ? []
        : [named(one.value, one)]
      : one.options.map((inner) => named(inner.value, inner)),
  );
  return [{ ...head, type: 'choice', value: currentValue, choices }];
}

function choice(
  category: 'mode' | 'model',
  name: string,
  value: string,
  choices: readonly QuestionOption[],
): AgentOption {
  return { id: category, name, category, type: 'choice', value, choices };
}

function named(
  value: string,
  words: { readonly name?: string | null | undefined; readonly description?: string | null | undefined },
): QuestionOption {
  const { description } = words;
  return { value, label: words.name ?? value, ...(description == null ? {} : { description }) };
}
