/**
 * How an issuer signs people in on these pages: the authorization code flow with PKCE (RFC 7636), for a client that has no
 * secret. What is needed between leaving for the issuer and coming back is in the storage of the tab, and counts once.
 */
import { base64url, decodeJwt, type JWTPayload } from 'jose';
import type { BrowserIssuer } from '../../about.js';
import { gateway } from '../router.js';

/** What is sent to the gateway: an API key, or in its place the token of a person. */
export interface Credential {
  key: string;
  person?: Person | undefined;
}

/** Whom an issuer has signed in. */
export interface Person {
  at: BrowserIssuer;
  subject: string;
  /** When the next token is due, by the clock of this browser. */
  renewAt: number;
  /** Gets the next token; undefined where the issuer renews none. */
  refreshToken?: string | undefined;
}

/** Where issuers send people back to. */
const redirect = new URL('signed-in', gateway);
const place = `signing-in ${gateway.pathname}`;

interface Begun {
  at: BrowserIssuer;
  state: string;
  verifier: string;
  /** The page to go back to. */
  returnTo: string;
}

/** Leaves the page for that of the issuer. */
export async function leaveFor(at: BrowserIssuer): Promise<void> {
  const [state, verifier] = [randomText(), randomText()];
  const begun: Begun = { at, state, verifier, returnTo: location.href };
  sessionStorage.setItem(place, JSON.stringify(begun));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const asked = {
    response_type: 'code',
    client_id: at.clientId,
    redirect_uri: redirect.href,
    scope: at.scopes.join(' '),
    state,
    code_challenge: base64url.encode(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  const address = new URL(at.authorize);
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  location.assign(address);
}

const randomText = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)));

/** Whether the address of this page holds the answer of an issuer. */
export const isAnswered = (): boolean => location.pathname === redirect.pathname && location.search !== '';

/**
 * Takes the answer out of the address, and what was begun out of the storage, before anything else happens.
 *
 * @throws with what is wrong with the answer, and what to do
 */
export async function arrive(): Promise<Credential & Pick<Begun, 'returnTo'>> {
  const given = new URLSearchParams(location.search);
  history.replaceState(null, '', redirect);
  const begun: Begun | null = JSON.parse(sessionStorage.getItem(place) ?? 'null');
  sessionStorage.removeItem(place);
  if (given.get('state') !== begun?.state || (given.get('iss') ?? begun.at.issuer) !== begun.at.issuer)
    throw new Error('This answer belongs to no sign-in that was begun in this tab. Sign in again.');
  const { at, verifier, returnTo } = begun;
  const error = given.get('error')?.slice(0, 80);
  if (error !== undefined)
    throw new Error(`${at.label} has not let you in (${error}). Try again, or ask who manages your account there.`);
  const asked = { grant_type: 'authorization_code', code: given.get('code') ?? '', code_verifier: verifier };
  return { ...(await askFor(at, { ...asked, redirect_uri: redirect.href })), returnTo };
}

/** Milliseconds that an issuer may take: those who work with a token that still counts wait for the next one. */
const patience = 10_000;

/** The same person with the next token. @throws where the issuer gives none */
export const renewed = ({ at, refreshToken = '' }: Person): Promise<Credential> =>
  askFor(at, { grant_type: 'refresh_token', refresh_token: refreshToken });

interface Tokens {
  access_token?: string;
  id_token?: string;
  refresh_token?: string;
}

/**
 * Asks the issuer for tokens; nothing of what it answers is shown, because it may hold some. The access token counts, if it
 * is one for this gateway, and else the identity token: the gateway takes only what is for it.
 */
async function askFor(at: BrowserIssuer, asked: Record<string, string>): Promise<Credential> {
  const body = new URLSearchParams({ client_id: at.clientId, ...asked });
  const sent: RequestInit = { method: 'POST', body, credentials: 'omit', redirect: 'error' };
  const response = await fetch(at.token, { ...sent, signal: AbortSignal.timeout(patience) }).catch(() => {
    throw new Error(
      `${at.label} cannot be reached from here, or does not let pages of ${location.origin} ask it (CORS). Try again in a moment.`,
    );
  });
  if (!response.ok) throw new Error(`${at.label} gave no token: it answered ${response.status}. Sign in again.`);
  const tokens: Tokens = await response.json().catch(() => ({}));
  for (const key of [tokens.access_token, tokens.id_token]) {
    const { iss, aud, sub: subject, exp, iat } = claimsIn(key);
    const isForUs = iss === at.issuer && [aud].flat().some((each) => at.audience.includes(String(each)));
    if (!key || !isForUs || !subject || !exp) continue;
    // By the difference, because the clock of this browser may be another than that of the issuer.
    const renewAt = Date.now() + (exp - (iat ?? Date.now() / 1000)) * 750;
    return { key, person: { at, subject, renewAt, refreshToken: tokens.refresh_token ?? asked.refresh_token } };
  }
  throw new Error(`${at.label} gave no token for this gateway. Whoever runs it has to compare audience and scopes.`);
}

/** What a token says, if it is a JWT; the gateway verifies it. */
function claimsIn(token = ''): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}
