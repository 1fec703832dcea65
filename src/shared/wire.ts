/** What stands on a wire, for everything that keeps it verbatim. Types only. */

/** A JSON value as it stood on a wire. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One object of a wire, verbatim. */
export type WireObject = { readonly [key: string]: Json };
