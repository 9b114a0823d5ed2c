/**
 * Who is signed in: the one API key of all pages, or the token of a person in its place. It is kept in the storage of this
 * tab, which survives a reload and is never on the disk, and handed by a channel to new tabs that ask. It is in no address but
 * the fragment of the link that the start prints. Other gateways of the same origin, below other paths, have places and
 * channels of their own.
 */

import { useSyncExternalStore } from 'react';
import { wordsFor } from '../api/problems.js';
import { gateway } from '../router.js';
import { arrive, type Credential, isAnswered, type Person, renewed } from './authorization.js';

export const useSession = (): Session => useSyncExternalStore(onSession, currentSession);

/** Where a key comes from when a page begins: the storage of the tab, and the address of a link. */
const place = `session ${gateway.pathname}`;

interface Kept extends Credential {
  /** The key of a link, of which it is not known yet whether it may stay. */
  isInQuestion: boolean;
}

const readKept = (): Kept | null => JSON.parse(sessionStorage.getItem(place) ?? 'null');

/** The key of a link like `…/#key=…`, which is removed from the address at once. */
function takeFromAddress(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key) history.replaceState(null, '', location.pathname + location.search);
  return key ?? undefined;
}

export type Session =
  /** Other tabs are being asked. */
  { status: 'looking' } | { status: 'out'; problem?: string | undefined } | ({ status: 'in' } & Credential);

/** `ask` and `to` name the tab that asks. A key without `to` is one with which somebody has just signed in, or a renewed token. */
type Message = { ask: string } | (Credential & { to?: string }) | { signedOut: true };

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
/** Milliseconds before an issuer that has given no next token is asked again. */
const pause = 10_000;

/** The key of a link, until it is known whether somebody else is signed in. */
let linked: string | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;
let session: Session = { status: 'looking' };

export const currentSession = (): Session => session;

/** The key of whoever is signed in; undefined before. */
export const currentKey = (): string | undefined => (session.status === 'in' ? session.key : undefined);

/** Calls the listener when somebody else, or nobody, is signed in. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Signs in with a key that the gateway knows, or the token of a person, here and in the other tabs. */
export function signIn({ key, person }: Credential): void {
  linked = undefined;
  become({ status: 'in', key, person });
  broadcast({ key, person });
}

export function signOut(): void {
  become({ status: 'out' });
  broadcast({ signedOut: true });
}

/** The gateway has refused this key, and says why. Another that has been given in the meantime stays. */
export function refused(key: string, why = ''): void {
  if (currentKey() === key) become({ status: 'out', problem: `You are no longer signed in. ${why}` });
}

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if ('ask' in data && session.status === 'in') {
    asking.add(data.ask);
    answer();
  }
  const isMeant = 'key' in data && (data.to === undefined || data.to === tab);
  if (isMeant && (linked || session.status !== 'in' || isLaterOf(session, data))) enter(chosen(data));
  if ('signedOut' in data && session.status === 'in') become({ status: 'out' });
};

function begin(): void {
  if (!isAnswered()) return look();
  // The page to go back to is loaded, because each has the policy that it needs.
  const goOn = ({ returnTo, ...credential }: Awaited<ReturnType<typeof arrive>>) => {
    signIn(credential);
    location.replace(returnTo);
  };
  arrive().then(goOn, (error: unknown) => look(wordsFor(error)));
}

/** Looks for a key in the storage, in the address and in other tabs. `problem` is shown where there is none. */
function look(problem?: string): void {
  const kept = readKept();
  linked = takeFromAddress() ?? (kept?.isInQuestion ? kept.key : undefined);
  // Also of a person whose token is kept: it may have been renewed while this page was loaded.
  broadcast({ ask: tab });
  if (kept && !kept.isInQuestion) return enter(chosen(kept));
  if (linked) {
    wait(linked);
    enter({ key: linked });
  } else setTimeout(() => session.status === 'looking' && become({ status: 'out', problem }), patience);
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
function chosen(known: Credential): Credential {
  const other = linked && linked !== known.key && confirm(question) ? { key: linked } : undefined;
  linked = undefined;
  return other ?? known;
}

/** Somebody may paste the link into the address of a tab that is open here already: then no page is loaded. */
addEventListener('hashchange', () => {
  const given = takeFromAddress();
  if (!given) return;
  // The key of an earlier link, of which it is not known yet whether it may stay, gives way to this one.
  if (session.status === 'in' && !linked) {
    linked = given;
    return enter(chosen(session));
  }
  wait(given);
  enter({ key: given });
  broadcast({ ask: tab });
});

function enter({ key, person }: Credential): void {
  if (currentKey() === key) keep();
  else become({ status: 'in', key, person });
}

/** What is kept over a reload, and told to those who ask: only a key that may stay. */
function keep(): void {
  if (session.status !== 'in') return sessionStorage.removeItem(place);
  const kept: Kept = { key: session.key, person: session.person, isInQuestion: linked !== undefined };
  sessionStorage.setItem(place, JSON.stringify(kept));
  answer();
}

function answer(): void {
  if (session.status !== 'in' || linked) return;
  for (const to of asking) broadcast({ key: session.key, person: session.person, to });
  asking.clear();
}

/** A page that the back button brings back as it was may show what somebody has signed out of on a page after it. */
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && session.status === 'in' && readKept()?.key !== session.key) location.reload();
});

function become(next: Session): void {
  const isRenewed = next.status === 'in' && isLaterOf(session, next);
  session = next;
  if (next.status === 'out') {
    linked = undefined;
    asking.clear();
    // What was typed into GraphiQL is not for the next key either.
    for (const name of Object.keys(localStorage)) if (name.startsWith('graphiql:')) localStorage.removeItem(name);
  }
  keep();
  if (!isRenewed) for (const listener of listeners) listener();
}

const broadcast = (message: Message): void => channel.postMessage(message);

/** Whether it is a later token of the person who is signed in, so that nothing changes in what is shown. */
const isLaterOf = (now: Session, { person }: Credential): boolean =>
  now.status === 'in' &&
  now.person !== undefined &&
  now.person.at.issuer === person?.at.issuer &&
  now.person.subject === person.subject &&
  now.person.renewAt < person.renewAt;

/** Who is signed in with a token that is about to end, and for which another can be had. */
function due(): { key: string; person: Person } | undefined {
  if (session.status !== 'in' || !session.person?.refreshToken || session.person.renewAt > Date.now()) return undefined;
  return { key: session.key, person: session.person };
}

/** The key to send now: a token that is about to end is renewed first. */
export async function freshKey(): Promise<string | undefined> {
  // In one tab after the other, because issuers take it for a theft when the same is renewed twice.
  if (due()) await navigator.locks.request(`renewal ${gateway.pathname}`, renew);
  return currentKey();
}

async function renew(): Promise<void> {
  // Until it is known whether another tab has renewed it just now, or while this page was loaded.
  await new Promise((resolve) => setTimeout(resolve, patience));
  const now = due();
  if (!now) return;
  const later = { key: now.key, person: { ...now.person, renewAt: Date.now() + pause } };
  const next = await renewed(now.person).catch(() => later);
  if (currentKey() !== now.key) return;
  become({ status: 'in', ...next });
  broadcast(next);
}

begin();
