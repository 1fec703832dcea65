import { Component, type ComponentChild, type ComponentClass } from 'preact';

/** Draws again only when a prop changed by `===`; the reducer keeps the identity of what no event touched. */
export function memo<P extends object>(draw: (props: P) => ComponentChild): ComponentClass<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !sameProps(this.props, next);
    }
    override render(): ComponentChild {
      return draw(this.props);
    }
  };
}

/** Whether both have the same properties with the very same values. */
export function sameProps<P extends object>(a: P, b: P): boolean {
  for (const name in b) if (a[name] !== b[name]) return false;
  for (const name in a) if (!(name in b)) return false;
  return true;
}
