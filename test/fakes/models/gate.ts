/** A moment that a test and a model server meet at: the server waits there until the test goes on. */
export interface Gate {
  /** Settles when a request has come to the gate. */
  readonly reached: Promise<void>;
  /** Settles when the test has opened it. */
  readonly opened: Promise<void>;
  /** For the server. */
  reach(): void;
  /** For the test; safe more than once, and before anybody came. */
  open(): void;
}

export function gate(): Gate {
  let reach = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { reached, opened, reach: () => reach(), open: () => open() };
}
