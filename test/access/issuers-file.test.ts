/** The file in ISSUERS is checked whole, and every problem says where it is and what to do. */
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readIssuers } from '../../src/features/people/tokens/issuers.js';
import { AddressRules } from '../../src/gateway/outgoing/address-rules.js';
import { freshFolder } from '../support/database.js';
import { issuersFile } from '../support/issuer.js';
import { startWithPeople } from './people.js';

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const { publicKey, privateKey } = rsa(2048);

function problemsOf(entries: unknown, files: Record<string, unknown> = {}): string[] {
  const folder = freshFolder();
  const all = { 'jwks.json': { keys: [publicKey.export({ format: 'jwk' })] }, ...files };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(folder, name), JSON.stringify(content));
  const problems: string[] = [];
  const rules = new AddressRules(['login.internal'], 'ISSUERS_ALLOW');
  const fetchedKeys = () => async () => {
    throw new Error('Nothing is fetched at the start');
  };
  readIssuers(issuersFile(entries, folder), { knownRoles: new Set(['technician']), rules, fetchedKeys }, problems);
  return problems;
}

const entry = {
  issuer: 'https://login.example',
  audience: 'records',
  keys: 'jwks.json',
  claims: { name: 'name', roles: 'roles' },
  roles: { Technicians: 'technician' },
};
const browser = { clientId: 'records', authorize: 'https://login.example/a', token: 'https://login.example/t' };

test.each([
  ['the example', entry],
  ['several audiences', { ...entry, audience: ['records', 'assets'] }],
  ['keys at an address', { ...entry, keys: 'https://login.example/jwks' }],
  ['keys at an address that is allowed', { ...entry, keys: 'http://login.internal:8080/jwks' }],
  [
    'where a browser signs in',
    { ...entry, signIn: { ...browser, scopes: ['openid', 'offline_access'], label: 'ACME' } },
  ],
])('%s is taken', (_, given) => {
  expect(problemsOf([given])).toEqual([]);
});

test('everything that is wrong with a file is told at once', () => {
  expect(
    problemsOf([
      entry,
      { ...entry, roles: { Technicians: 'technican', Chefs: 'cook' }, keys: 'http://login.example/jwks' },
      {
        ...entry,
        issuer: 'https://other.example',
        keys: 'https://10.0.0.1/jwks',
        signIn: { ...browser, token: 'http://x.example' },
      },
    ]),
  ).toEqual([
    'entry 2 names an `issuer` that an earlier entry names too; give all of it in one entry',
    'entry 2 gives people with `Technicians` the role `technican`, which the file in ROLES does not have; did you mean technician?',
    'entry 2 gives people with `Chefs` the role `cook`, which the file in ROLES does not have; add it there, or leave it out here',
    'entry 2 has `keys` that must begin with https://',
    'entry 3 has a `signIn.token` that must be an address that begins with https://',
    'entry 3 has `keys` that names a host of a private network; whoever runs the gateway can allow it by ISSUERS_ALLOW',
  ]);
});

test.each<[string, unknown, RegExp]>([
  [
    'no audience',
    { ...entry, audience: undefined },
    /^`1\.audience` must be what tokens for this gateway have in `aud`/,
  ],
  ['an empty list of audiences', { ...entry, audience: [] }, /^`1\.audience` /],
  ['an issuer that would not be told from its subjects', { ...entry, issuer: 'https://a|b' }, /^`1\.issuer` must be/],
  ['a member that nobody knows', { ...entry, algorithms: ['HS256'] }, /algorithms/],
  ['no list', 'all', /^`1` /],
])('%s is refused', (_, given, says) => {
  expect(problemsOf([given])).toEqual([expect.stringMatching(says)]);
});

test.each<[string, unknown, RegExp]>([
  ['a private key', { keys: [privateKey.export({ format: 'jwk' })] }, /`keys\.1` is a private key; leave out/],
  ['a secret', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] }, /`keys\.1` is a secret/],
  ['a short key', { keys: [rsa(1024).publicKey.export({ format: 'jwk' })] }, /shorter than 2048 bits/],
  ['half a key', { keys: [{ kty: 'RSA', e: 'AQAB' }] }, /`keys\.1` is no public key that can be read/],
  ['no key', { keys: [] }, /it holds no key/],
  ['something else', [], /no JSON Web Key Set/],
])('%s in the file of the keys is refused, and never shown', (_, content, says) => {
  const problems = problemsOf([entry], { 'jwks.json': content });
  expect(problems).toEqual([expect.stringMatching(says)]);
  expect(problems[0]).toMatch(/^entry 1 names jwks\.json as the file of its keys, which cannot be used: /);
  expect(problems.join()).not.toContain('c2VjcmV0');
});

test('a file of keys that is missing is named', () => {
  expect(problemsOf([{ ...entry, keys: 'none.json' }])).toEqual([
    expect.stringMatching(/^entry 1 .*none\.json.*ENOENT/),
  ]);
});

test('a key of one’s own that has the form of a token would be taken for one, and is refused', async () => {
  const env = { ISSUERS: issuersFile([]), API_KEY: 'three.parts.of-letters' };
  await expect(startWithPeople({ env })).rejects.toThrow(/API_KEY has the form of a token/);
});
