import { useLayoutEffect, useSyncExternalStore } from 'react';

/** What the address names: the list, a new repair, the repair with this id, or a record of another type. */
export type Place = { type: 'list' | 'new' } | { type: 'repair' | 'record'; id: string };

let shown = location.hash;
let mayLeave = () => true;
const listeners = new Set<() => void>();
addEventListener('hashchange', follow);

/** The part of the address that names the place; it changes only if the user may leave the place before. */
export function useHash(): string {
  return useSyncExternalStore(subscribe, () => shown);
}

export function placeAt(hash: string): Place {
  if (hash === addresses.new) return { type: 'new' };
  const [, room, id] = /^#\/(repairs|records)\/([^/]+)$/.exec(hash) ?? [];
  if (id === undefined) return { type: 'list' };
  return { type: room === 'repairs' ? 'repair' : 'record', id: decodeURIComponent(id) };
}

export const addresses = {
  list: '#/',
  new: '#/new',
  repair: (id: string) => `#/repairs/${encodeURIComponent(id)}`,
  record: (id: string) => `#/records/${encodeURIComponent(id)}`,
};

/** Leaves, without asking, for a place that replaces the one shown: a new repair by the saved one. */
export function replaceBy(address: string): void {
  history.replaceState(null, '', address);
  show(address);
}

/** Asks before edits are left: by a link, by the browser's buttons, by closing the tab. */
export function useUnsavedEdits(areThere: boolean): void {
  useLayoutEffect(() => {
    if (!areThere) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    mayLeave = () => confirm('Leave without saving? What you have changed will be lost.');
    addEventListener('beforeunload', warn);
    return () => {
      mayLeave = () => true;
      removeEventListener('beforeunload', warn);
    };
  }, [areThere]);
}

/** Whether the user agrees to lose the edits, if there are some. */
export function isFreeToLeave(): boolean {
  return mayLeave();
}

function follow() {
  if (location.hash === shown) return;
  if (mayLeave()) show(location.hash);
  else history.pushState(null, '', shown || addresses.list);
}

function show(hash: string) {
  shown = hash;
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}
