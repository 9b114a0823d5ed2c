/**
 * What somebody keeps in this browser: views, and which records they have seen and starred. Of records only the ids: their names
 * are read again with the rights of whoever is signed in.
 */
import { useCallback, useSyncExternalStore } from 'react';
import { gateway } from '../../router.js';
import { useViewer } from '../../session/viewer.js';

/** A record by its id, or a view by its name, with what stands behind the `?` of its address. */
export interface KeptItem {
  slug: string;
  name: string;
  search?: string;
}

/** The most of a kind that is kept: the rest is forgotten, the oldest first. */
const most = { views: 100, seen: 10, starred: 100 };

/** What the one who is signed in keeps, the newest first; `keep` puts one there, and `forget` takes it away. */
export function useKept(kind: keyof typeof most) {
  const { data } = useViewer();
  // Several people may share a browser, and several gateways an origin.
  const place = data && `records ${gateway.pathname} ${data.name} ${kind}`;
  const text = useSyncExternalStore(
    (listener) => {
      addEventListener('storage', listener);
      return () => removeEventListener('storage', listener);
    },
    () => (place ? localStorage.getItem(place) : null),
  );
  const put = useCallback(
    ({ slug, name }: KeptItem, ...added: KeptItem[]) => {
      if (!place) return;
      const others = parsed(localStorage.getItem(place)).filter((one) => one.slug !== slug || one.name !== name);
      localStorage.setItem(place, JSON.stringify([...added, ...others].slice(0, most[kind])));
      // Other tabs are told by the browser, and this one is not.
      dispatchEvent(new Event('storage'));
    },
    [place, kind],
  );
  const keep = useCallback((item: KeptItem) => put(item, item), [put]);
  return { kept: parsed(text), keep, forget: put };
}

/** What else may stand there is not ours. */
function parsed(text: string | null): KeptItem[] {
  try {
    const items: (KeptItem | null)[] = JSON.parse(text ?? '[]');
    return items.flatMap((item) => (typeof item?.slug === 'string' && typeof item.name === 'string' ? item : []));
  } catch {
    return [];
  }
}
