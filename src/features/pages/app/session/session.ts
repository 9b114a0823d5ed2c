/**
 * Who is signed in: the one API key of all pages, or the token of a person, which is renewed. It is kept in the storage of this tab, which survives a reload and is
 * never on the disk, and handed by a channel to new tabs that ask. It is in no address but the fragment of the link that
 * the start prints. Other gateways of the same origin, below other paths, have places and channels of their own.
 */

import { useSyncExternalStore } from 'react';
import { gateway } from '../router.js';
import {
  type Credential,
  credentialFor,
  forgetBegun,
  type IssuerAnswer,
  IssuerRefusal,
  type Person,
  renewed,
  takeAnswer,
} from './authorization.js';

export const useSession = (): Session =>
  useSyncExternalStore((listener) => listenTo(watchers, listener), currentSession);

/** Where a key comes from when a page begins: the storage of the tab, and the address of a link. */
const place = `api-key ${gateway.pathname}`;
/** The key of a link is here until it is known whether it may stay, also over a reload. */
const linkPlace = `api-key of a link ${gateway.pathname}`;

/** The person to whom the token belongs that is kept in the place of a key. */
const personPlace = `person ${gateway.pathname}`;

const linkKeyKept = (): string | undefined => sessionStorage.getItem(linkPlace) ?? undefined;

const keyKept = (): string | undefined => sessionStorage.getItem(place) ?? undefined;

function credentialKept(): Credential | undefined {
  const [key, person] = [keyKept(), sessionStorage.getItem(personPlace)];
  return key === undefined ? undefined : { key, person: person ? JSON.parse(person) : undefined };
}

function keepKey({ key, person }: Partial<Credential>, isInQuestion: boolean): void {
  for (const each of [place, linkPlace, personPlace]) sessionStorage.removeItem(each);
  if (key !== undefined) sessionStorage.setItem(isInQuestion ? linkPlace : place, key);
  if (person) sessionStorage.setItem(personPlace, JSON.stringify(person));
}

/** The key of a link like `…/#key=…`, which is removed from the address at once. */
function takeFromAddress(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key) history.replaceState(null, '', location.pathname + location.search);
  return key ?? undefined;
}

export type Session =
  /** Other tabs are being asked. */
  | { status: 'looking' }
  /** `note` is what else there is to know, where there is no problem. */
  | { status: 'out'; problem?: string; note?: string }
  | SignedIn;

interface SignedIn extends Credential {
  status: 'in';
  /** Whether the token ends soon, and cannot be renewed without the person. */
  isEnding?: boolean;
}

/** `ask` and `to` name the tab that asks. A key without `to` is one with which somebody has just signed in, or that was renewed. */
type Message = { ask: string } | (Credential & { to?: string }) | { signedOut: true };

const channel = new BroadcastChannel(`sign-in ${gateway.pathname}`);
const tab = String(Math.random());
/** Tabs that have asked while it was not known whether the key of a link may stay. */
const asking = new Set<string>();
/** Those who hear of another key or person, and those who hear of a renewed token too. */
const listeners = new Set<() => void>();
const watchers = new Set<() => void>();
/** Milliseconds within which another tab answers. */
const patience = 200;
/** And within which the slowest one does: then somebody who has signed in by a link is asked. */
const longPatience = 20_000;
const question =
  'You are signed in with another API key. Sign in with the key of this link instead, in this tab? If somebody else sent it to you, they can read what you write with it.';

/** The key of a link, until it is known whether somebody else is signed in. */
let linked: string | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;
let planned: ReturnType<typeof setTimeout> | undefined;
let renewing: Promise<void> | undefined;
let arrivalProblem: string | undefined;
let session: Session = { status: 'looking' };

export const currentSession = (): Session => session;

/** The key of whoever is signed in; undefined before. */
export function currentKey(): string | undefined {
  return session.status === 'in' ? session.key : undefined;
}

/** Calls the listener when somebody else, or nobody, is signed in. */
export const onSession = (listener: () => void): (() => void) => listenTo(listeners, listener);

function listenTo(those: Set<() => void>, listener: () => void): () => void {
  those.add(listener);
  return () => void those.delete(listener);
}

/** Signs in with a key that the gateway knows, or the token of a person, here and in the other tabs. */
export function signIn({ key, person }: Credential): void {
  linked = undefined;
  become({ status: 'in', key, person });
  broadcast({ key, person });
}

export function signOut(): void {
  become(signedOut());
  broadcast({ signedOut: true });
}

function signedOut(): Session {
  const wasPerson = session.status === 'in' && session.person !== undefined;
  const note =
    'You are signed out here. Your identity provider still knows you: sign out there too if others use this browser.';
  return { status: 'out', ...(wasPerson && { note }) };
}

/** The gateway has refused this key, and says why. Another that has been given in the meantime stays. */
export function refused(key: string, why = ''): void {
  if (session.status !== 'in' || session.key !== key) return;
  const problem = session.person
    ? `The gateway does not take your sign-in: ${why}`
    : 'The gateway no longer takes this key. It may have ended or been revoked.';
  become({ status: 'out', problem });
}

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if ('ask' in data && session.status === 'in') {
    asking.add(data.ask);
    answer();
  }
  const isMeant = 'key' in data && (data.to === undefined || data.to === tab);
  if (isMeant && isNextOf(session, data)) hold(data);
  else if (isMeant && (linked || session.status !== 'in')) enter(chosen(data));
  if ('signedOut' in data && session.status === 'in') become(signedOut());
};

function begin(): void {
  const answer = takeAnswer();
  if (answer) void arrive(answer);
  else look();
}

/** Why the issuer, or what it has answered, has signed nobody in when this page began. */
export const problemOfArrival = (): string | undefined => arrivalProblem;

async function arrive(answer: IssuerAnswer): Promise<void> {
  try {
    const { returnTo, ...credential } = await credentialFor(answer);
    signIn(credential);
    // The page is loaded again, because each has the policy that it needs.
    if (returnTo) location.replace(returnTo);
  } catch (error) {
    arrivalProblem = error instanceof Error ? error.message : 'This sign-in has failed. Sign in again.';
    look();
  }
}

function look(): void {
  linked = takeFromAddress() ?? linkKeyKept();
  const known = credentialKept();
  if (known) return enter(chosen(known));
  if (linked) {
    wait(linked);
    enter({ key: linked });
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
  keepKey(session.status === 'in' ? session : {}, linked !== undefined);
  answer();
}

function answer(): void {
  if (session.status !== 'in' || linked) return;
  for (const to of asking) broadcast({ key: session.key, person: session.person, to });
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
    forgetBegun();
    // What was typed into GraphiQL is not for the next key either.
    for (const name of Object.keys(localStorage)) if (name.startsWith('graphiql:')) localStorage.removeItem(name);
  }
  keep();
  plan();
  for (const listener of [...listeners, ...watchers]) listener();
}

function broadcast(message: Message): void {
  channel.postMessage(message);
}

/** Whether it is a later token of the person who is signed in: with it nothing changes but the time that is left. */
const isNextOf = (now: Session, { person }: Credential): boolean =>
  now.status === 'in' &&
  now.person?.issuer === person?.issuer &&
  now.person?.subject === person?.subject &&
  (now.person?.endsAt ?? 0) < (person?.endsAt ?? 0);

function hold({ key, person }: Credential, isEnding = false): void {
  session = { status: 'in', key, person, isEnding };
  keep();
  plan();
  for (const watcher of watchers) watcher();
}

/** Milliseconds before its end in which a token is renewed, or the person is asked to sign in again. */
const early = ({ lifetime }: Person): number => Math.min(120_000, lifetime / 4);

/** Plans what happens next with the token: it is renewed, or it is said that it ends, and then it ends. */
function plan(): void {
  clearTimeout(planned);
  if (session.status !== 'in' || !session.person) return;
  const { key, person, isEnding } = session;
  const left = person.endsAt - Date.now();
  if (isRenewable(session)) return void renew();
  const isDue = left <= early(person);
  if (left <= 0) return become({ status: 'out', problem: hasEnded });
  if (isDue && !isEnding) return hold({ key, person }, true);
  // At most as long as a timer can be.
  planned = setTimeout(plan, Math.min(isDue ? left : left - early(person), 2 ** 31 - 1));
}

const hasEnded = 'Your sign-in has ended. Sign in again to go on.';

/** The key to send now; a token that is about to end is renewed first. */
export async function freshKey(): Promise<string | undefined> {
  if (session.status === 'in' && isRenewable(session)) await renew();
  return currentKey();
}

/** Whether the token is about to end, and another can be had for it. */
const isRenewable = ({ person }: Credential): boolean =>
  person?.refreshToken !== undefined && person.endsAt - Date.now() <= early(person);

/** Renews the token: in one tab, because issuers take it for a theft when the same is renewed twice. */
function renew(): Promise<void> {
  renewing ??= navigator.locks.request(`renewal ${gateway.pathname}`, renewOnce).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

async function renewOnce(): Promise<void> {
  const now = session;
  // Another tab may have been faster.
  if (now.status !== 'in' || !now.person || !isRenewable(now)) return;
  const { key, person } = now;
  try {
    const next = await renewed(person);
    if (session !== now) return;
    hold(next);
    broadcast(next);
  } catch (error) {
    if (session !== now) return;
    const left = person.endsAt - Date.now();
    if (error instanceof IssuerRefusal || left <= 0) hold({ key, person: { ...person, refreshToken: undefined } });
    else planned = setTimeout(renew, Math.max(1_000, early(person) / 4));
  }
  // The others hear of it before one of them is let in here.
  await new Promise((resolve) => setTimeout(resolve, patience));
}

begin();
