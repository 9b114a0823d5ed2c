/**
 * Who is signed in: the one API key of all pages. It is kept in the storage of this tab, which survives a reload and is
 * never on the disk, and handed by a channel to new tabs that ask. It is in no address but the fragment of the link that
 * the start prints. Other gateways of the same origin, below other paths, have places and channels of their own.
 */

import { useSyncExternalStore } from 'react';
import { gateway } from '../router.js';

export const useSession = (): Session => useSyncExternalStore(onSession, currentSession);

/** Where a key comes from when a page begins: the storage of the tab, and the address of a link. */
const place = `api-key ${gateway.pathname}`;
/** The key of a link is here until it is known whether it may stay, also over a reload. */
const linkPlace = `api-key of a link ${gateway.pathname}`;

const keyKept = (): string | undefined => sessionStorage.getItem(place) ?? undefined;
const linkKeyKept = (): string | undefined => sessionStorage.getItem(linkPlace) ?? undefined;

function keepKey(key: string | undefined, isInQuestion: boolean): void {
  sessionStorage.removeItem(place);
  sessionStorage.removeItem(linkPlace);
  if (key !== undefined) sessionStorage.setItem(isInQuestion ? linkPlace : place, key);
}

/** The key of a link like `…/#key=…`, which is removed from the address at once. */
function takeFromAddress(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key) history.replaceState(null, '', location.pathname + location.search);
  return key ?? undefined;
}

export type Session =
  /** Other tabs are being asked. */
  { status: 'looking' } | { status: 'out'; problem?: string } | { status: 'in'; key: string };

/** `ask` and `to` name the tab that asks. A key without `to` is one with which somebody has just signed in. */
type Message = { ask: string } | { key: string; to?: string } | { signedOut: true };

const channel = new BroadcastChannel(`sign-in ${gateway.pathname}`);
const tab = String(Math.random());
/** Tabs that have asked while it was not known whether the key of a link may stay. */
const asking = new Set<string>();
const listeners = new Set<() => void>();
/** Milliseconds within which another tab answers. */
const patience = 200;
/** And within which the slowest one does: then somebody who has signed in by a link is asked. */
const longPatience = 20_000;
const question =
  'You are signed in with another API key. Sign in with the key of this link instead, in this tab? If somebody else sent it to you, they can read what you write with it.';

/** The key of a link, until it is known whether somebody else is signed in. */
let linked: string | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;
let session: Session = { status: 'looking' };
begin();

export const currentSession = (): Session => session;

/** The key of whoever is signed in; undefined before. */
export function currentKey(): string | undefined {
  return session.status === 'in' ? session.key : undefined;
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Signs in with a key that the gateway knows, here and in the other tabs. */
export function signIn(key: string): void {
  linked = undefined;
  become({ status: 'in', key });
  broadcast({ key });
}

export function signOut(): void {
  become({ status: 'out' });
  broadcast({ signedOut: true });
}

/** The gateway has refused this key. Another that has been given in the meantime stays. */
export function refused(key: string): void {
  if (currentKey() === key) {
    become({ status: 'out', problem: 'The gateway no longer takes this key. It may have ended or been revoked.' });
  }
}

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if ('ask' in data && session.status === 'in') {
    asking.add(data.ask);
    answer();
  }
  const isMeant = 'key' in data && (data.to === undefined || data.to === tab);
  if (isMeant && (linked || session.status !== 'in')) enter(chosen(data.key));
  if ('signedOut' in data && session.status === 'in') become({ status: 'out' });
};

function begin(): void {
  linked = takeFromAddress() ?? linkKeyKept();
  const known = keyKept();
  if (known) return enter(chosen(known));
  if (linked) {
    wait(linked);
    enter(linked);
  } else setTimeout(() => session.status === 'looking' && become({ status: 'out' }), patience);
  broadcast({ ask: tab });
}

function wait(key: string): void {
  clearTimeout(waiting);
  linked = key;
  waiting = setTimeout(() => {
    linked = undefined;
    keep();
  }, longPatience);
}

/** The link may come from anybody, so who is signed in, in whatever tab, is asked whether its key replaces their own here. */
function chosen(known: string): string {
  const key = linked && linked !== known && confirm(question) ? linked : known;
  linked = undefined;
  return key;
}

/** Somebody may paste the link into the address of a tab that is open here already: then no page is loaded. */
addEventListener('hashchange', () => {
  const given = takeFromAddress();
  if (!given) return;
  // The key of an earlier link, of which it is not known yet whether it may stay, gives way to this one.
  if (session.status === 'in' && !linked) {
    linked = given;
    return enter(chosen(session.key));
  }
  wait(given);
  enter(given);
  broadcast({ ask: tab });
});

function enter(key: string): void {
  if (currentKey() === key) keep();
  else become({ status: 'in', key });
}

/** What is kept over a reload, and told to those who ask: only a key that may stay. */
function keep(): void {
  keepKey(currentKey(), linked !== undefined);
  answer();
}

function answer(): void {
  if (session.status !== 'in' || linked) return;
  for (const to of asking) broadcast({ key: session.key, to });
  asking.clear();
}

/** A page that the back button brings back as it was may show what somebody has signed out of on a page after it. */
addEventListener('pageshow', ({ persisted }) => {
  const kept = keyKept() ?? linkKeyKept();
  if (persisted && session.status === 'in' && kept !== session.key) location.reload();
});

function become(next: Session): void {
  session = next;
  if (next.status === 'out') {
    linked = undefined;
    asking.clear();
    // What was typed into GraphiQL is not for the next key either.
    for (const name of Object.keys(localStorage)) if (name.startsWith('graphiql:')) localStorage.removeItem(name);
  }
  keep();
  for (const listener of listeners) listener();
}

function broadcast(message: Message): void {
  channel.postMessage(message);
}
