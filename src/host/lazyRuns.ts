import type { RunOptions } from '../loop/options.ts';
import type { WarmAgents } from '../loop/warmAgents.ts';
import { readRun } from '../session/replay.ts';
import type { Translate } from '../shared/translate.ts';
import { isInRepository } from '../workspace/isInRepository.ts';
import type { OfferBook } from './agentOffers.ts';
import type { RunController } from './runControl.ts';
import { createRunController } from './runController.ts';

const FRAME_MS = 16;

/** Calls back once, after one frame's time. Returns the way to call it off. */
export function nextFrame(callback: () => void): () => void {
  const timer = setTimeout(callback, FRAME_MS);
  return () => clearTimeout(timer);
}

/** Loaded on the first use: a window in which nothing is written starts nothing, and waits for nothing. */
export function lazyWarmAgents(offers: OfferBook) {
  let agents: Promise<WarmAgents> | null = null;
  return {
    loaded: (): Promise<WarmAgents | null> => agents ?? Promise.resolve(null),
    async warm(options: RunOptions, idleMs: number): Promise<void> {
      const { servicesFor } = await import('./runServices.ts');
      agents ??= import('../loop/warmAgents.ts').then(({ createWarmAgents }) =>
        createWarmAgents({
          after: (ms, callback) => {
            const timer = setTimeout(callback, ms);
            return () => clearTimeout(timer);
          },
          onOffer: offers.heard,
        }),
      );
      (await agents).warm(options, servicesFor(options.folder), idleMs);
    },
    async dispose(): Promise<void> {
      await (await agents)?.dispose();
    },
  };
}

/** A controller whose parts are loaded on their first use. */
export function createController(warm: ReturnType<typeof lazyWarmAgents>, t: Translate): RunController {
  return createRunController({
    startRun: async (options, cancel) => {
      const { startRun } = await import('../loop/startRun.ts');
      const { servicesFor } = await import('./runServices.ts');
      return startRun(options, cancel, servicesFor(options.folder), await warm.loaded());
    },
    undoRun: async (options) => (await import('../loop/undoRun.ts')).undoRun({ ...options, t }),
    previewUndo: async (options) => (await import('../loop/undoRun.ts')).previewUndo({ ...options, t }),
    decideAfterwards: async (asked) => (await import('../loop/decideFinding.ts')).decideAfterwards({ ...asked, t }),
    askAfterwards: async (asked) => (await import('../loop/decideFinding.ts')).askAfterwards({ ...asked, t }),
    readRun,
    t,
    isInRepository,
    nextFrame,
  });
}
