/** An identity provider that signs tokens with `jose`, and shows its keys over HTTP. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { freshFolder } from './database.js';

export interface TokenParts {
  sub?: string;
  name?: string;
  /** Those of the issuer; `Clerks` unless given. */
  roles?: readonly string[];
  /** Further claims, also instead of the usual ones; undefined leaves one out. */
  claims?: Record<string, unknown>;
  /** Seconds, five minutes unless given. */
  expiresIn?: number;
  header?: Partial<JWTHeaderParameters>;
}

export class TestIssuer {
  /** How often its keys were asked for. */
  fetches = 0;
  /** Answers instead of the usual answer. */
  answer: RequestListener | undefined;
  /** The keys that it shows. */
  keys: JWK[] = [];
  #signing: { key: CryptoKey; kid: string } | undefined;
  #server: Server | undefined;

  private constructor(
    readonly algorithm: string,
    private port = 0,
  ) {}

  static async start(algorithm = 'RS256'): Promise<TestIssuer> {
    const issuer = new TestIssuer(algorithm);
    await issuer.rotate();
    await issuer.open();
    return issuer;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Begins to answer, after `stop` at the same address. */
  async open(): Promise<void> {
    this.#server = createServer((request, response) => {
      this.fetches++;
      if (this.answer) return this.answer(request, response);
      response.setHeader('content-type', 'application/jwk-set+json').end(JSON.stringify({ keys: this.keys }));
    }).listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((done) => (this.#server ? this.#server.close(done) : done(undefined)));
  }

  /** Signs with another key from now on. Those before are shown too, unless they are withdrawn. */
  async rotate({ withdrawn = false } = {}): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(this.algorithm, { extractable: true });
    const kid = randomUUID();
    this.#signing = { key: privateKey, kid };
    const shown = { ...(await exportJWK(publicKey)), kid, alg: this.algorithm, use: 'sig' };
    this.keys = withdrawn ? [shown] : [...this.keys, shown];
  }

  async sign({
    sub = 'ada',
    name,
    roles = ['Clerks'],
    claims,
    expiresIn = 300,
    header,
  }: TokenParts = {}): Promise<string> {
    if (!this.#signing) throw new Error('The issuer has no key');
    const { key, kid } = this.#signing;
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: this.issuer, aud: 'records', iat: now, exp: now + expiresIn, sub, name, roles };
    const whole = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined);
    return new SignJWT(Object.fromEntries(whole))
      .setProtectedHeader({ alg: this.algorithm, kid, typ: 'JWT', ...header })
      .sign(key);
  }

  /** Its entry in the file of issuers. */
  entry(more: object = {}): object {
    return {
      issuer: this.issuer,
      audience: 'records',
      keys: `${this.issuer}/keys`,
      claims: { name: 'name', roles: 'roles' },
      roles: { Clerks: 'clerk' },
      ...more,
    };
  }
}

/** Writes a file in a folder of its own, or a given one, and returns its path. */
export function issuersFile(entries: unknown, folder = freshFolder()): string {
  const path = join(folder, 'issuers.json');
  writeFileSync(path, typeof entries === 'string' ? entries : JSON.stringify(entries));
  return path;
}

/** The settings of a gateway that takes the tokens of these issuers; the file of roles has to have `clerk`. */
export const takingTokens = (...issuers: TestIssuer[]): { ISSUERS: string; ISSUERS_ALLOW: string } => ({
  ISSUERS: issuersFile(issuers.map((issuer) => issuer.entry())),
  ISSUERS_ALLOW: '127.0.0.1',
});
