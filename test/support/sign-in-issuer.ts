/** An identity provider in which people sign in with a browser: the authorization code flow with PKCE, with codes that count once. */
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { TestIssuer, type TokenParts } from './issuer.js';

/** What a code or a refresh token stands for. */
interface Granted {
  person: TokenParts;
  challenge: string;
  redirect: string;
}

export const clientId = 'records-pages';

export class SignInIssuer {
  /** Who can sign in, each with a button; nobody is asked for a password. */
  people: TokenParts[] = [];
  /** Seconds that tokens live. */
  expiresIn = 300;
  refreshes = true;
  /** Whether the next requests for tokens fail. */
  isDown = false;
  /** Makes the access token something that only the issuer understands; the identity token is then for the client. */
  isOpaque = false;
  /** The tokens that were given, and the grants for which they were asked. */
  readonly given: string[] = [];
  readonly grants: string[] = [];
  /** What the browser was refused, which a test of what goes right expects to be nothing. */
  readonly refused: string[] = [];
  readonly #codes = new Map<string, Granted>();
  readonly #refreshTokens = new Map<string, Granted>();

  private constructor(readonly tokens: TestIssuer) {
    tokens.answer = (request, response) => void this.#answer(request, response);
  }

  static async start(people: TokenParts[]): Promise<SignInIssuer> {
    const issuer = new SignInIssuer(await TestIssuer.start('ES256'));
    issuer.people = people;
    return issuer;
  }

  /** Its entry in the file of issuers. */
  entry(more: object = {}): object {
    const url = this.tokens.issuer;
    const signIn = { clientId, authorize: `${url}/authorize`, token: `${url}/token`, scopes: ['openid', 'records'] };
    return this.tokens.entry({ audience: ['records', clientId], signIn, ...more });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', this.tokens.issuer);
    if (pathname === '/keys') response.end(JSON.stringify({ keys: this.tokens.keys }));
    else if (pathname === '/authorize') this.#authorize(searchParams, response);
    else if (pathname === '/token' && request.method === 'POST') await this.#token(request, response);
    else response.writeHead(404).end();
  }

  /** A page with a button for each person, and one to turn back. */
  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const get = (name: string) => asked.get(name) ?? '';
    const isRight =
      get('client_id') === clientId &&
      get('response_type') === 'code' &&
      get('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(get('code_challenge')) &&
      get('state').length >= 43;
    if (!isRight) return this.#refuse(response, `authorize ${asked}`);
    const redirect = get('redirect_uri');
    const link = (words: string, answer: Record<string, string>) => {
      const address = new URL(redirect);
      const all = { state: get('state'), iss: this.tokens.issuer, ...answer };
      for (const [name, value] of Object.entries(all)) address.searchParams.set(name, value);
      return `<p><a role="button" href="${address.href.replaceAll('&', '&amp;')}">${words}</a></p>`;
    };
    const links = this.people.map((person) => {
      const code = randomUUID();
      this.#codes.set(code, { person, challenge: get('code_challenge'), redirect });
      return link(person.name ?? '', { code });
    });
    links.push(link('Turn back', { error: 'access_denied' }));
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>Issuer</title>${links.join('')}`);
  }

  async #token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '');
    if (this.isDown) return void response.writeHead(503).end();
    const body = new URLSearchParams(await text(request));
    const grant = body.get('grant_type') ?? '';
    this.grants.push(grant);
    const isCode = grant === 'authorization_code';
    const [held, name] = isCode ? [this.#codes, 'code'] : [this.#refreshTokens, 'refresh_token'];
    const token = body.get(name) ?? '';
    const granted = held.get(token);
    // Each counts once: a refresh token that is used again would end the whole sign-in at many issuers.
    held.delete(token);
    const verified = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      body.get('client_id') === clientId &&
      granted &&
      (!isCode || (granted.challenge === verified && granted.redirect === body.get('redirect_uri')));
    if (!isRight) return this.#refuse(response, `${grant} ${granted ? 'not verified' : 'unknown'}`);
    const { person } = granted;
    const sign = (claims: Record<string, unknown>) =>
      this.tokens.sign({
        expiresIn: this.expiresIn,
        ...person,
        claims: { ...person.claims, jti: randomUUID(), ...claims },
      });
    const refresh = this.refreshes ? randomUUID() : undefined;
    if (refresh) this.#refreshTokens.set(refresh, granted);
    const access = this.isOpaque ? randomUUID() : await sign({});
    const identity = await sign({ aud: clientId });
    this.given.push(access, identity, ...(refresh ? [refresh] : []));
    const tokens = { access_token: access, id_token: identity, token_type: 'Bearer', refresh_token: refresh };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens));
  }

  #refuse(response: ServerResponse, what: string): void {
    this.refused.push(what);
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":"invalid_grant"}');
  }

  stop(): Promise<void> {
    return this.tokens.stop();
  }
}
