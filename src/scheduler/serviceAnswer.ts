/** What the agent is to be answered. `kind` decides the error code of its wire. */
export type ServiceAnswer<T> =
  | { readonly type: 'result'; readonly value: T }
  | { readonly type: 'refused'; readonly kind: RefusalKind; readonly message: string };

/** `missing`: there is no such thing, and the agent may make it. `invalid`: of the parameters. `stopped`: with the turn. */
export type RefusalKind = 'missing' | 'invalid' | 'stopped' | 'failed';
