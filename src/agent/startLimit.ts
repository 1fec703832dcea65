/** The time that a start may take. Time spent waiting for a person does not count. */
export interface StartLimit {
  /** Rejects when the time is up. Never resolves. */
  readonly expired: Promise<never>;
  /** Does what waits for a person: afterwards the time begins anew. */
  readonly unhurried: <T>(work: () => Promise<T>) => Promise<T>;
  end(): void;
}

/** `after` calls back once after `ms`; its result takes it back. */
export function createStartLimit(
  ms: number,
  after: (ms: number, callback: () => void) => () => void,
  error: () => Error,
): StartLimit {
  let expire = (): void => undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    expire = () => reject(error());
  });
  // Nobody may be waiting any more when it comes.
  expired.catch(() => undefined);
  let takeBack = after(ms, expire);
  let ended = false;
  let waits = 0;
  return {
    expired,
    async unhurried(work) {
      takeBack();
      waits++;
      try {
        return await work();
      } finally {
        if (--waits === 0 && !ended) takeBack = after(ms, expire);
      }
    },
    end() {
      ended = true;
      takeBack();
    },
  };
}
