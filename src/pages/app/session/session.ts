/**
 * Who is signed in: the one API key of all pages. It is kept in the storage of this tab, which survives a reload and is
 * never on the disk, and handed to new tabs of the same origin by a channel. It is in no address but the fragment of the
 * link that the start prints.
 */
export type Session =
  /** Other tabs are being asked. */
  { status: 'looking' } | { status: 'out'; problem?: string } | { status: 'in'; key: string };

type Message = { ask: true } | { key: string } | { signedOut: true };

const place = 'api-key';
const channel = new BroadcastChannel('sign-in');
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
let session: Session = begin();

export const currentSession = (): Session => session;

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Signs in with a key that the gateway knows, here and in the other tabs. */
export function signIn(key: string): void {
  become({ status: 'in', key });
  broadcast({ key });
}

export function signOut(): void {
  become({ status: 'out' });
  broadcast({ signedOut: true });
}

/** The gateway has refused this key. Another that has been given in the meantime stays. */
export function refused(key: string): void {
  if (session.status === 'in' && session.key === key) {
    become({ status: 'out', problem: 'The gateway no longer takes this key. It may have ended or been revoked.' });
  }
}

channel.onmessage = ({ data }: MessageEvent<Message>) => {
  if ('ask' in data && session.status === 'in') broadcast({ key: session.key });
  if ('key' in data && (linked || session.status !== 'in')) enter(chosen(data.key));
  if ('signedOut' in data && session.status === 'in') become({ status: 'out' });
};

function begin(): Session {
  const given = takeFromAddress();
  const known = sessionStorage.getItem(place);
  linked = given;
  const key = known ? chosen(known) : given;
  if (!known) broadcast({ ask: true });
  if (key) {
    sessionStorage.setItem(place, key);
    if (linked) wait(linked);
    return { status: 'in', key };
  }
  setTimeout(() => session.status === 'looking' && become({ status: 'out' }), patience);
  return { status: 'looking' };
}

function wait(key: string): void {
  clearTimeout(waiting);
  linked = key;
  waiting = setTimeout(forgetLink, longPatience);
}

function forgetLink(): void {
  linked = undefined;
}

/** The link may come from anybody, so who is signed in, in whatever tab, is asked whether its key replaces their own here. */
function chosen(known: string): string {
  const other = linked;
  forgetLink();
  return other && other !== known && confirm(question) ? other : known;
}

/** The key of a link like `…/#key=…`, which is removed from the address at once. */
function takeFromAddress(): string | undefined {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key) history.replaceState(null, '', location.pathname + location.search);
  return key ?? undefined;
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
  enter(given);
  wait(given);
  broadcast({ ask: true });
});

function enter(key: string): void {
  if (session.status !== 'in' || session.key !== key) become({ status: 'in', key });
}

/** A page that the back button brings back as it was may show what somebody has signed out of on a page after it. */
addEventListener('pageshow', ({ persisted }) => {
  if (persisted && session.status === 'in' && sessionStorage.getItem(place) !== session.key) location.reload();
});

function become(next: Session): void {
  session = next;
  if (next.status === 'in') sessionStorage.setItem(place, next.key);
  if (next.status === 'out') {
    forgetLink();
    sessionStorage.removeItem(place);
    // What was typed into GraphiQL is not for the next key either.
    for (const name of Object.keys(localStorage)) if (name.startsWith('graphiql:')) localStorage.removeItem(name);
  }
  for (const listener of listeners) listener();
}

function broadcast(message: Message): void {
  channel.postMessage(message);
}
