/**
 * How an issuer signs people in on these pages: the authorization code flow with PKCE (RFC 7636), for a client that has no
 * secret. What is needed between leaving for the issuer and coming back is in the storage of the tab, and counts once.
 */
import type { IssuerAbout } from '../../about.js';
import { addressOf, gateway, pathOf } from '../router.js';

/** Whom an issuer has signed in, and for how long. */
export interface Person {
  issuer: string;
  subject: string;
  /** When the token ends, by the clock of this browser, and how many milliseconds it lives in all. */
  endsAt: number;
  lifetime: number;
  /** Gets the next token; undefined where the issuer gives none. */
  refreshToken?: string | undefined;
}

/** What is sent to the gateway: an API key, or in its place the token of a person. */
export interface Credential {
  key: string;
  person?: Person | undefined;
}

/** The issuer has answered, and refuses: asking again will not help. */
export class IssuerRefusal extends Error {}

const refusal = (at: IssuerAbout, words: string) => new IssuerRefusal(`${issuerName(at)} ${words}`);

/** Where issuers send people back to. */
export const redirectPath = pathOf('signed-in');
const place = `signing-in ${gateway.pathname}`;

interface Begun {
  issuer: string;
  state: string;
  verifier: string;
  /** The page to go back to; undefined where another tab waits. */
  returnTo?: string | undefined;
}

interface Tokens {
  access_token?: string;
  id_token?: string;
  refresh_token?: string;
}

/** The issuers with which people can sign in on these pages. */
export async function readSignIns(): Promise<IssuerAbout[]> {
  const response = await fetch(addressOf('pages/sign-in.json'));
  if (!response.ok) throw new Error('The gateway cannot be asked right now. Try again in a moment.');
  return response.json();
}

/** What people call an issuer. */
export const issuerName = ({ issuer, label }: Pick<IssuerAbout, 'issuer' | 'label'>): string =>
  label ?? (URL.canParse(issuer) ? new URL(issuer).host : issuer);

/** Leaves the page for that of the issuer. @throws where the browser makes no secrets */
export async function leaveFor(at: IssuerAbout, returnTo?: string): Promise<void> {
  if (!isSecureContext) throw new Error('Browsers sign people in on pages at https:// only.');
  const [state, verifier] = [randomText(), randomText()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const begun: Begun = { issuer: at.issuer, state, verifier, returnTo };
  sessionStorage.setItem(place, JSON.stringify(begun));
  const address = new URL(at.authorize);
  const asked = {
    response_type: 'code',
    client_id: at.clientId,
    redirect_uri: location.origin + redirectPath,
    scope: at.scopes?.join(' ') ?? 'openid',
    state,
    code_challenge: textOf(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
  location.assign(address);
}

const randomText = (): string => textOf(crypto.getRandomValues(new Uint8Array(32)));

/** Bytes as base64url. */
const textOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');

/** An answer that an issuer has given through the address of this page. */
export interface IssuerAnswer {
  given: URLSearchParams;
  begun: Begun | undefined;
}

/** Takes the answer of an issuer out of the address, at once, and what was begun out of the storage. */
export function takeAnswer(): IssuerAnswer | undefined {
  const given = new URLSearchParams(location.search);
  if (location.pathname !== redirectPath || !(given.has('code') || given.has('error'))) return undefined;
  history.replaceState(null, '', redirectPath);
  const kept = sessionStorage.getItem(place);
  forgetBegun();
  return { given, begun: kept ? JSON.parse(kept) : undefined };
}

export const forgetBegun = (): void => sessionStorage.removeItem(place);

/** @throws Error with what is wrong with the answer, and what to do */
export async function credentialFor({ given, begun }: IssuerAnswer): Promise<Credential & { returnTo?: string }> {
  if (!begun || given.get('state') !== begun.state || (given.get('iss') ?? begun.issuer) !== begun.issuer)
    throw new IssuerRefusal('This answer belongs to no sign-in that was begun in this tab. Sign in again.');
  const at = await signInOf(begun);
  const error = given.get('error');
  if (error !== null) {
    const why =
      error === 'access_denied' ? 'did not let you in, or you have turned back' : `answered “${error.slice(0, 80)}”`;
    throw refusal(at, `${why}. Try again, or ask who manages your account there.`);
  }
  const { verifier, returnTo } = begun;
  const body = { grant_type: 'authorization_code', code: given.get('code') ?? '', code_verifier: verifier };
  const tokens = await askFor(at, { ...body, redirect_uri: location.origin + redirectPath });
  return { ...chosen(at, tokens), ...(returnTo && { returnTo }) };
}

/** The next token of a person. @throws `IssuerRefusal`, or another error where it is worth to try again */
export async function renewed({ issuer, subject, refreshToken = '' }: Person): Promise<Credential> {
  const at = await signInOf({ issuer });
  const tokens = await askFor(at, { grant_type: 'refresh_token', refresh_token: refreshToken });
  const next = chosen(at, { refresh_token: refreshToken, ...tokens });
  if (next.person?.subject !== subject) throw refusal(at, 'gave the token of somebody else.');
  return next;
}

async function signInOf({ issuer }: Pick<IssuerAbout, 'issuer'>): Promise<IssuerAbout> {
  const found = (await readSignIns()).find((each) => each.issuer === issuer);
  if (!found) throw new IssuerRefusal('Nobody signs in with this issuer any more.');
  return found;
}

/** Asks the issuer for tokens; nothing of what it answers is shown, because it may hold some. */
async function askFor(at: IssuerAbout, body: Record<string, string>): Promise<Tokens> {
  const sent = { method: 'POST', body: new URLSearchParams({ client_id: at.clientId, ...body }) };
  const response = await fetch(at.token, { ...sent, credentials: 'omit', redirect: 'error' }).catch(() => {
    throw new Error(
      `${issuerName(at)} cannot be reached from here, or does not let pages of ${location.origin} ask it (CORS). Try again in a moment.`,
    );
  });
  const tokens: Tokens = await response.json().catch(() => ({}));
  if (response.ok) return tokens;
  const refused = refusal(at, `gave no token: it answered ${response.status}. Sign in again.`);
  throw response.status < 404 ? refused : new Error(refused.message);
}

/** The access token, if it is one for this gateway, and else the identity token: the gateway takes only what is for it. */
function chosen(at: IssuerAbout, { access_token, id_token, refresh_token: refreshToken }: Tokens): Credential {
  for (const key of [access_token, id_token]) {
    const { iss, aud, sub: subject, exp, iat } = claimsIn(key);
    const isForUs = iss === at.issuer && [aud].flat().some((each) => at.audience.includes(String(each)));
    if (!key || !isForUs || !subject || !exp) continue;
    // By the difference, because the clock of this browser may be another than that of the issuer.
    const lifetime = (exp - (iat ?? Date.now() / 1000)) * 1000;
    return { key, person: { issuer: at.issuer, subject, lifetime, endsAt: Date.now() + lifetime, refreshToken } };
  }
  throw refusal(at, 'gave no token for this gateway. Whoever runs it has to compare audience and scopes.');
}

interface Claims {
  iss?: string;
  aud?: string | string[];
  sub?: string;
  exp?: number;
  iat?: number;
}

/** What a token says, if it is a JWT; the gateway verifies it. */
function claimsIn(token: string | undefined): Claims {
  try {
    const bytes = atob((token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0))));
  } catch {
    return {};
  }
}
