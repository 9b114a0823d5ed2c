/**
 * Signs people in with an identity provider: the authorization code flow with PKCE (RFC 7636), for a page that holds no
 * secret. The provider knows this page as a public client with its address as the place to come back to.
 */
import { keptSession, type Session } from './session.js';

const {
  VITE_AUTHORIZE: authorize,
  VITE_TOKEN: token,
  VITE_CLIENT_ID: clientId,
  VITE_SCOPES: scope = 'openid',
} = import.meta.env;

/** Whether a provider is configured; without one there is only the field for a key. */
export const canSignIn = Boolean(authorize && token && clientId);

/** What is needed until the provider sends the person back. */
interface Begun {
  state: string;
  verifier: string;
  /** The part of the address behind `#`, where the person was. */
  hash: string;
  /** Whether another tab waits for the session. */
  isBeside: boolean;
}

const place = 'repair-desk-begun';
const redirect = location.origin + location.pathname;
/** Hands a session to the tab that waits for it. */
const channel = new BroadcastChannel(`repair-desk ${location.pathname}`);

/** Calls `take` when somebody has signed in in another tab. */
export function onSignedIn(take: (session: Session) => void): () => void {
  const hear = ({ data }: MessageEvent<Session>) => take(data);
  channel.addEventListener('message', hear);
  return () => channel.removeEventListener('message', hear);
}

const besides = '?sign-in';

/** Opens another tab to sign in, for a page that holds what somebody has typed. */
export const signInBeside = () => void window.open(redirect + besides, '_blank', 'noopener');

/** Leaves for the provider. */
export async function signIn(isBeside = false): Promise<void> {
  const [state, verifier] = [randomText(), randomText()];
  const begun: Begun = { state, verifier, hash: location.hash, isBeside };
  sessionStorage.setItem(place, JSON.stringify(begun));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const asked = new URL(authorize);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope,
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) asked.searchParams.set(name, value);
  location.assign(asked);
}

/** What the page begins with, after the provider may have sent somebody back to it. */
export interface Arrival {
  /** Why nobody has been signed in. */
  trouble?: string;
  /** Whether another tab goes on, and this one can be closed. */
  isDone?: boolean;
}

/** Takes the answer of the provider out of the address, before anything else, and exchanges the code in it for a session. */
export async function arrive(): Promise<Arrival> {
  if (location.search === besides) await signIn(true);
  const given = new URLSearchParams(location.search);
  if (!given.has('code') && !given.has('error')) return {};
  const begun: Begun | null = JSON.parse(sessionStorage.getItem(place) ?? 'null');
  sessionStorage.removeItem(place);
  history.replaceState(null, '', redirect + (begun?.hash ?? ''));
  if (begun?.state !== given.get('state')) return { trouble: 'This sign-in was not begun in this tab. Sign in again.' };
  if (given.has('error')) return { trouble: `You were not signed in (${given.get('error')}). Try again.` };
  try {
    const code = { grant_type: 'authorization_code', code: given.get('code') ?? '', redirect_uri: redirect };
    const session = await askForTokens({ ...code, code_verifier: begun.verifier });
    keptSession.keep(session);
    if (begun.isBeside) channel.postMessage(session);
    return { isDone: begun.isBeside };
  } catch (error) {
    return { trouble: `You were not signed in: ${error instanceof Error ? error.message : error}` };
  }
}

/** The same person with another token. @throws if the provider does not give one */
export async function renew({ refreshToken = '' }: Session): Promise<Session> {
  const next = await askForTokens({ grant_type: 'refresh_token', refresh_token: refreshToken });
  // A provider that gives no other refresh token takes the same again.
  const session = { ...next, refreshToken: next.refreshToken ?? refreshToken };
  keptSession.keep(session);
  return session;
}

interface Tokens {
  access_token: string;
  refresh_token?: string;
  expires_in?: number;
}

/** The access token is the one for the gateway: register the gateway as an API with your provider. */
async function askForTokens(grant: Record<string, string>): Promise<Session> {
  const body = new URLSearchParams({ client_id: clientId, ...grant });
  const response = await fetch(token, { method: 'POST', body });
  if (!response.ok) throw new Error(`the identity provider answered ${response.status}.`);
  const { access_token: key, refresh_token: refreshToken, expires_in: seconds = 300 }: Tokens = await response.json();
  return { key, refreshToken, renewAt: Date.now() + seconds * 750 };
}

const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
