/** @jsxRuntime automatic @jsxImportSource preact */

/** One codicon, for the eye only: the words stand beside it. */
export function Icon({ name, spin = false, tone }: { name: string; spin?: boolean; tone?: Tone }) {
  const classes = ['codicon', `codicon-${name}`];
  if (spin) classes.push('codicon-modifier-spin');
  if (tone !== undefined) classes.push(`tone-${tone}`);
  return <span class={classes.join(' ')} aria-hidden="true" />;
}

/** Meaning carried by a colour; never by the colour alone. */
export type Tone = 'good' | 'bad' | 'warn' | 'quiet';
