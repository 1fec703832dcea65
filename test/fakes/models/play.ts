import type { Answer } from './answer.ts';
import type { Dialect, TokenCount } from './dialect.ts';
import type { ContentStep, ModelRequest, Step } from './story.ts';

/** How an answer ended on our side. */
export type Played = { readonly outcome: 'done' | 'cut'; readonly status: number };

/** Plays the steps to the client in order. Rejects with ClientGone when the client leaves. */
export async function play(
  steps: readonly Step[],
  dialect: Dialect,
  request: ModelRequest,
  streamed: boolean,
  answer: Answer,
): Promise<Played> {
  const content = steps.filter(isContent);
  const finish = steps.find((step) => step.type === 'finish')?.finish ?? 'natural';
  const tokens = countTokens(steps, content, request);
  const encoder = streamed ? dialect.stream(request, content, finish, tokens) : null;
  let opened = false;

  const write = async (text: string) => {
    const start = encoder && !opened ? encoder.open() : '';
    opened = true;
    if (start + text !== '') await answer.write(start + text);
  };

  for (const [index, step] of steps.entries()) {
    switch (step.type) {
      case 'say':
      case 'think':
      case 'call':
      case 'brokenCall':
        if (encoder) {
          const last = steps.slice(index + 1).every((later) => later.type === 'finish' || later.type === 'usage');
          const pace = step.type === 'say' ? step.everyMs : 0;
          let first = true;
          for (const frames of encoder.content(step, last)) {
            if (pace > 0 && !first) await answer.pause(pace);
            first = false;
            await write(frames);
          }
        }
        break;
      case 'pause':
        if (encoder && opened) await write(encoder.settle());
        await answer.pause(step.ms);
        break;
      case 'hold':
        if (encoder && opened) await write(encoder.settle());
        step.gate.reach();
        await answer.until(step.gate.opened);
        break;
      case 'hang':
        await answer.untilGone();
        break;
      case 'cut':
        await answer.destroy();
        return { outcome: 'cut', status: opened ? 200 : 0 };
      case 'raw':
        await write(step.bytes);
        break;
      case 'fail':
        if (answer.begun) throw new Error('a story must not fail with an HTTP status after it has said something');
        answer.plain(dialect.fault(step.status, step.hint));
        return { outcome: 'done', status: step.status };
      case 'streamError':
        if (encoder) await write(encoder.error(step.status, step.message));
        answer.end();
        return { outcome: 'done', status: 200 };
      case 'finish':
      case 'usage':
        break;
      default:
        return unreachable(step);
    }
  }
  if (encoder) {
    await write(encoder.close(finish));
    answer.end();
  } else {
    answer.plain({ status: 200, body: dialect.whole(request, content, finish, tokens) });
  }
  return { outcome: 'done', status: 200 };
}

function isContent(step: Step): step is ContentStep {
  return step.type === 'say' || step.type === 'think' || step.type === 'call' || step.type === 'brokenCall';
}

/** About four bytes a token, both ways, unless the story names the counts. */
function countTokens(steps: readonly Step[], content: readonly ContentStep[], request: ModelRequest): TokenCount {
  const told = steps.find((step) => step.type === 'usage');
  if (told) return { input: told.input, output: told.output };
  return { input: Math.ceil(request.raw.length / 4), output: Math.ceil(JSON.stringify(content).length / 4) };
}

function unreachable(step: never): never {
  throw new Error(`unknown step ${JSON.stringify(step)}`);
}
