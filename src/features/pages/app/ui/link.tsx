import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { pathOf } from '../addresses.js';
import { goTo } from '../router.js';

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of the pages, without `/` at its beginning. */
  to: string;
}

/** A link to another page of the app. A click that opens a new tab, or with a modifier key, is left to the browser. */
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
