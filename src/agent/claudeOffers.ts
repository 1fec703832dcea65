import { readOffers } from '../protocol/claudeStream.ts';
import type { AgentEvent } from '../shared/agentEvents.ts';
import type { WireObject } from '../shared/wire.ts';

/** What Claude Code calls the model that it takes when nobody chose one. */
const DEFAULT_MODEL = 'default';

/**
 * Its slash commands and models, as the answer of `initialize` tells them (12-initialize). `model`: what it was started
 * with. Of the answer only those two parts are kept: the rest holds the person's account.
 */
export function claudeOffers(answer: WireObject, model: string | null): readonly AgentEvent[] {
  const read = readOffers(answer);
  if (read.type !== 'known') return [];
  const { commands, models } = read.value;
  const events: AgentEvent[] = [];
  if (commands != null && answer.commands !== undefined) {
    const derived = commands.map(({ name, description, argumentHint }) => ({
      name,
      description: description ?? '',
      ...(argumentHint == null || argumentHint === '' ? {} : { hint: argumentHint }),
    }));
    events.push({ type: 'commands.updated', wire: { commands: answer.commands }, derived: { commands: derived } });
  }
  if (models != null && models.length > 0 && answer.models !== undefined) {
    const choices = models.map(({ value, displayName, description }) => ({
      value,
      label: displayName ?? value,
      ...(description == null ? {} : { description }),
    }));
    const option = { id: 'model', name: 'Model', category: 'model', type: 'choice' } as const;
    const options = [{ ...option, value: model ?? DEFAULT_MODEL, choices }];
    events.push({ type: 'options.updated', wire: { models: answer.models }, derived: { options } });
  }
  return events;
}
