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

function sameProps(a: object, b: object): boolean {
  const before = new Map<string, unknown>(Object.entries(a));
  const after = Object.entries(b);
  return before.size === after.length && after.every(([key, value]) => before.has(key) && before.get(key) === value);
}
