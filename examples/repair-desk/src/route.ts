import { useSyncExternalStore } from 'react';

/** The id of the repair the address names (`#/repairs/<id>`); null on the list. */
export function useOpenRepair(): string | null {
  return useSyncExternalStore(subscribe, openRepair);
}

/** The address of a repair, for a link. */
export function addressOf(id: string): string {
  return `#/repairs/${encodeURIComponent(id)}`;
}

function openRepair(): string | null {
  const id = /^#\/repairs\/([^/]+)$/.exec(location.hash)?.[1];
  return id === undefined ? null : decodeURIComponent(id);
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed);
  return () => removeEventListener('hashchange', changed);
}
