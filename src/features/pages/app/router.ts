/** Which page is shown. There are few, so the address and the History API are all that is needed. */
import { useSyncExternalStore } from 'react';
import { gateway } from './addresses.js';
import { focusMain } from './ui/focus-main.js';
import { mayLeave } from './unsaved.js';

export interface Address {
  /** The parts of the path: `['records', 'asset-repair']`. That of `/records/` has an empty one at its end. */
  parts: string[];
  search: URLSearchParams;
}

const listeners = new Set<() => void>();
let seen = addressNow();
let place = read();

addEventListener('popstate', () => {
  if (addressNow() === seen) return;
  if (mayLeave()) changed();
  // The browser has gone back already.
  else history.pushState(null, '', seen);
});

export const useAddress = (): Address =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => place,
  );

/** Shows another page. `replace` leaves no step for the back button, as suits a changed filter. */
export function goTo(address: string, { replace = false } = {}): void {
  if (!mayLeave()) return;
  const isOther = new URL(address, location.href).pathname !== location.pathname;
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  changed();
  if (isOther) {
    scrollTo(0, 0);
    focusMain();
  }
}

function changed(): void {
  if (addressNow() === seen) return;
  seen = addressNow();
  place = read();
  for (const listener of listeners) listener();
}

/** What decides which page is shown: what is behind `#` does not. */
function addressNow(): string {
  return location.pathname + location.search;
}

function read(): Address {
  const path = location.pathname.slice(gateway.pathname.length);
  return { parts: path ? path.split('/').map(decoded) : [], search: new URLSearchParams(location.search) };
}

/** An address may hold `%` and no code behind it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
