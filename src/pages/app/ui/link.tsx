import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { pathOf } from '../place.js';
import { goTo } from '../router.js';

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of the pages, without `/` at its beginning. */
  to: string;
}

/** A link to another page of the app. Whoever opens it in a new tab, or with a key held down, is left alone. */
export function Link({ to, onClick, ...rest }: Props) {
  const href = pathOf(to);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    goTo(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}
