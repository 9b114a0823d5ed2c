/**
 * Where the gateway is, and which page is shown. There are few, so the address and the History API are all that is needed.
 * The pages may lie below a path prefix of a proxy.
 */
import { useEffect, useInsertionEffect, useSyncExternalStore } from 'react';
import { confirmed } from './ui/dialog.js';

/** The address of the gateway, with `/` at its end. The app's own script is in `pages/`. */
export const gateway = new URL('..', import.meta.url);

/** The same without `/` at its end. */
export const origin = gateway.href.replace(/\/$/, '');

/** A path of the gateway as an absolute URL. */
export const addressOf = (path: string): string => new URL(path, gateway).href;

/** The path of a page as links name it, such as `/records/asset-repair`, with its query. */
export const pathOf = (path: string): string => {
  const { pathname, search } = new URL(path, gateway);
  return pathname + search;
};

/** GraphiQL and REST load much, under policies of their own, so they are opened as documents, and so is what is left from them. */
const tools: readonly (string | undefined)[] = ['graphql', 'docs'];

/** Whether the browser, and not the app, leads to a page from the present one. */
export const isDocument = (path: string): boolean =>
  tools.includes(path.split('/')[0]) || tools.includes(place.parts[0]);

/** A link that opens an operation in GraphiQL. It is behind `#`, so that values do not reach a log. */
export function graphiqlLink({ query, variables }: { query: string; variables?: object | undefined }): string {
  const parts = new URLSearchParams({ query, ...(variables ? { variables: JSON.stringify(variables) } : {}) });
  return `${pathOf('graphql')}#${parts}`;
}

/** Lets the keyboard go on at the content of the page, where what it was on is gone. */
export function focusMain(): void {
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}

/** The title of the tab, by which people find it among others. Undefined leaves it to a part of the page. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = title ? `${title} · Business Records` : 'Business Records';
  }, [title]);
}

const typed = {
  title: 'Leave without saving?',
  text: 'What you have typed on this page is not saved, and would be lost.',
  act: 'Leave and lose it',
};

/** Unsaved input, or what else would be cut short: before it is left, the user is asked in these words. */
const unsaved = new Set<typeof typed>();

/** Whether something typed would be lost with this page. */
export const hasUnsaved = (): boolean => unsaved.size > 0;

/** Whether the page may be left: nothing typed would be lost, or the user agrees to lose it. */
export async function mayLeave(): Promise<boolean> {
  const [words] = unsaved;
  return !words || confirmed({ ...words, leave: 'Stay here' });
}

/** While `isTyped`, the user is asked before they leave the page, reload it, close its tab or sign out. */
export function useUnsaved(isTyped: boolean, words = typed): void {
  // The other effects end while the form is out of sight, as when the page asks for another key. What is typed is still there.
  useInsertionEffect(() => {
    if (!isTyped) return;
    const mine = { ...words };
    unsaved.add(mine);
    addEventListener('beforeunload', stay);
    return () => {
      unsaved.delete(mine);
      if (unsaved.size === 0) removeEventListener('beforeunload', stay);
    };
  }, [isTyped, words]);
}

/** Where the tab closes or loads another document, only the browser can ask, in its own words. */
const stay = (event: Event): void => event.preventDefault();

const listeners = new Set<() => void>();
let seen = addressNow();
let place = read();

/** Whether the next step back was agreed to. */
let isAgreed = false;

addEventListener('popstate', () => {
  if (addressNow() === seen) return;
  if (isAgreed || !hasUnsaved()) {
    isAgreed = false;
    return changed();
  }
  // The browser has gone back already: the page stays until the user agrees.
  history.pushState(stateNow(), '', seen);
  void mayLeave().then((may) => {
    isAgreed = may;
    if (may) history.back();
  });
});

export const useAddress = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => place,
  );

/** Shows another page, after a question where something is not saved. `replace` leaves no step for the back button, as suits a changed filter. */
export function goTo(address: string, { replace = false } = {}): void {
  if (hasUnsaved()) void mayLeave().then((may) => may && go(address, replace));
  else go(address, replace);
}

function go(address: string, replace: boolean): void {
  const isOther = new URL(address, location.href).pathname !== location.pathname;
  history[replace ? 'replaceState' : 'pushState'](stateNow(), '', address);
  changed();
  if (isOther) {
    scrollTo(0, 0);
    focusMain();
  }
}

function changed(): void {
  if (addressNow() === seen) return;
  seen = addressNow();
  searches.set(location.pathname, location.search);
  place = read();
  for (const listener of listeners) listener();
}

/** What each page showed last in this tab, by its path: filters, order and place. The history keeps it over a reload. */
const kept: { searches?: Record<string, string> } | null = history.state;
const searches = new Map(Object.entries(kept?.searches ?? {}));
searches.set(location.pathname, location.search);
/** The most pages that are remembered. */
const most = 30;
const stateNow = () => ({ searches: Object.fromEntries([...searches].slice(-most)) });

/** A page as it was last seen here, such as a list with its filters, for links that lead back to it. */
export function lastSeen(page: string): string {
  return page + (searches.get(pathOf(page)) ?? '');
}

/** What decides which page is shown: what is behind `#` does not. */
function addressNow(): string {
  return location.pathname + location.search;
}

/** The parts of the path, `['records', 'asset-repair']`; that of `/records/` has an empty one at its end. And the query. */
function read() {
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
