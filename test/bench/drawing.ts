import * as z from 'zod';
import type { LoopEvent } from '../../src/shared/events.ts';
import type { Bench, Figure } from './figure.ts';
import { longTurn } from './longTurn.ts';
import { type OpenPage, type PageName, withPages } from './pageInBrowser.ts';
import { postedPerSecond } from './posting.ts';
import { median } from './program.ts';

/** Group D: what drawing costs the page's main thread. */
export const DRAWING_BENCHES: readonly Bench[] = [
  { ids: ['D1', 'D2', 'D5'], measure: measureCosts },
  { ids: ['D4'], measure: countDrawings },
];

const SHORT = 3_250;
const LONG = 13_000;
/** Events that come in the time of one frame: 3,250 in 50 frames. */
const BATCH = 65;
const PAIRS = 3;

type Open = (name: PageName) => Promise<OpenPage>;

/** Opens a page for one piece of work. */
async function once<T>(open: Open, name: PageName, work: (page: OpenPage) => Promise<T>): Promise<T> {
  const page = await open(name);
  try {
    return await work(page);
  } finally {
    await page.close();
  }
}

interface Turn {
  readonly ours: number;
  readonly floor: number;
  readonly long: number;
  readonly restored: number;
}

/** Ours and the page written by hand in turns; each ratio is the median of those of the turns. */
function measureCosts(): Promise<readonly Figure[]> {
  return withPages(async (open) => {
    /** In a page that has drawn before; the naive one has nothing that is loaded on demand. */
    const burst = async (name: PageName, events: readonly LoopEvent[], frame: number, message = frame) => {
      const work = async (page: OpenPage) => {
        if (name !== 'naive') await page.warm();
        await page.give(events);
        return (await page.measure(() => page.burst(frame, message))).all;
      };
      return once(open, name, work);
    };
    /** In a page that was made anew, as one is that was hidden. */
    const restore = (events: readonly LoopEvent[]) =>
      once(open, 'ours', async (page) => {
        await page.give(events);
        return (await page.measure(() => page.burst(events.length))).all;
      });
    const short = longTurn(SHORT);
    const long = longTurn(LONG);
    const turns: Turn[] = [];
    for (let pair = 0; pair < PAIRS; pair++) {
      turns.push({
        ours: await burst('ours', short, BATCH),
        floor: await burst('floor', short, BATCH),
        long: await burst('ours', long, BATCH),
        restored: await restore(long),
      });
    }
    const ours = median(turns.map((turn) => turn.ours));
    const naive = await drawnPerMessage(burst, short);
    const compared = (id: string, name: string, value: keyof Turn, reference: keyof Turn, most: number): Figure => ({
      id,
      name,
      value: median(turns.map((turn) => turn[value])),
      reference: median(turns.map((turn) => turn[reference])),
      ratio: median(turns.map((turn) => turn[value] / turn[reference])),
      goal: { is: '≤', number: most },
    });
    return [
      compared('D1', `CPU s of ${SHORT} events; ours / by hand`, 'ours', 'floor', 1.5),
      {
        id: 'D1',
        name: `CPU s of ${SHORT} events; drawn anew a message / ours`,
        value: ours,
        reference: naive,
        ratio: naive / ours,
        goal: { is: '≥', number: 25 },
      },
      compared('D2', `CPU s of ${LONG} events / of ${SHORT}`, 'long', 'ours', 5),
      compared('D5', `CPU s to restore ${LONG} events / by hand ${SHORT} as they come`, 'restored', 'floor', 1.5),
    ];
  });
}

/**
 * What the naive page would take for a message each. It takes minutes: so it draws 25 and 50 times while the run grows, and the
 * difference is what a drawing costs at the middle of the run, without the frames that come anyway.
 */
async function drawnPerMessage(
  burst: (name: PageName, events: readonly LoopEvent[], frame: number, message?: number) => Promise<number>,
  events: readonly LoopEvent[],
): Promise<number> {
  const once = await burst('naive', events, BATCH * 2);
  const twice = await burst('naive', events, BATCH * 2, BATCH);
  return ((twice - once) / (events.length / BATCH / 2)) * events.length;
}

const counts = z.object({ most: z.number(), rows: z.number(), parsed: z.number(), chunk: z.number() });
const shown = z.object({ rows: z.number(), near: z.number() });

/** Rows in the document, and those of them within the overscan of what is seen. */
const ROWS_SHOWN = `(() => {
  const box = document.querySelector('.timeline').getBoundingClientRect();
  const chunks = [...document.querySelectorAll('.round > div')].filter((chunk) => !chunk.querySelector('.unseen'));
  const rows = chunks.flatMap((chunk) => [...chunk.children]);
  const near = rows.filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > box.top - drawn.overscan && top < box.bottom + drawn.overscan;
  });
  return { rows: rows.length, near: near.length };
})()`;

/** Messages in which the events of a frame come, so that it is seen whether they are drawn together. */
const MESSAGE = 13;

function countDrawings(): Promise<readonly Figure[]> {
  return withPages(async (open) => {
    const events = longTurn(LONG);
    const texts = events.flatMap((event) => (event.type === 'message.chunk' ? [event] : []));
    const received = texts.filter(({ derived }) => derived.channel === 'message');
    const [first] = received;
    const start = events.findIndex(({ seq }) => seq === first?.seq);
    const end = events.findIndex(({ type }, index) => index > start && type !== 'message.chunk');
    return once(open, 'counted', async ({ page, warm, give, burst }) => {
      const read = async () => counts.parse(await page.evaluate('drawn'));
      await warm();
      // A message that has begun goes on: a chunk a frame.
      await give(events.slice(0, start + 1));
      await burst(start + 1);
      const begun = await read();
      await give(events.slice(start + 1, end));
      await burst(1);
      const gone = await read();
      await give(events.slice(end));
      await burst(BATCH, MESSAGE);
      const after = await read();
      const { rows, near } = shown.parse(await page.evaluate(ROWS_SHOWN));
      const length = received.reduce((sum, { derived }) => sum + derived.text.length, 0);
      return [
        count('drawings of the page in one frame, at most', after.most, 1),
        count('rows drawn a text chunk', (gone.rows - begun.rows) / (end - start - 1), 1),
        count('Markdown characters read / received', (after.parsed - begun.parsed) / length, 1.3),
        count(
          `rows in the document of ${LONG} events / near what is seen and a chunk at each end`,
          rows / (near + 2 * after.chunk),
          1,
        ),
        count('messages a second to the page at 2,000 events a second', await postedPerSecond(), 63),
      ];
    });
  });
}

function count(name: string, value: number, most: number): Figure {
  return { id: 'D4', name, value, reference: null, ratio: null, goal: { is: '≤', number: most } };
}
