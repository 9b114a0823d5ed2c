/** Where a key comes from when a page begins: the storage of the tab, and the address of a link. */
import { gateway } from '../addresses.js';

const place = `api-key ${gateway.pathname}`;
/** The key of a link is here until it is known whether it may stay, also over a reload. */
const linkPlace = `api-key of a link ${gateway.pathname}`;

export const keyKept = (): string | undefined => sessionStorage.getItem(place) ?? undefined;
export const linkKeyKept = (): string | undefined => sessionStorage.getItem(linkPlace) ?? undefined;

export function keepKey(key: string | undefined, isInQuestion: boolean): void {
  sessionStorage.removeItem(place);
  sessionStorage.removeItem(linkPlace);
  if (key !== undefined) sessionStorage.setItem(isInQuestion ? linkPlace : place, key);
}

/** The key of a link like `…/#key=…`, which is removed from the address at once. */
export function takeFromAddress(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key) history.replaceState(null, '', location.pathname + location.search);
  return key ?? undefined;
}
