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
import { withoutPath } from './roles.js';

const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });
const { publicKey, privateKey } = rsa(2048);

function problemsOf(entries: unknown, files: Record<string, unknown> = {}): string[] {
  const folder = freshFolder();
  const all = { 'jwks.json': { keys: [publicKey.export({ format: 'jwk' })] }, ...files };
  for (const [name, content] of Object.entries(all)) writeFileSync(join(folder, name), JSON.stringify(content));
  const problems: string[] = [];
  const rules = new AddressRules(['login.internal'], 'ISSUERS_ALLOW');
  const fetched = () => async () => {
    throw new Error('Nothing is fetched at the start');
  };
  const path = issuersFile(entries, folder);
  readIssuers(path, { knownRoles: ['technician'], rules, fetched }, problems);
  return withoutPath(problems, 'ISSUERS', path);
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
    '`2.keys` must begin with https://.',
    '`2.roles.Technicians` is no role of the file in ROLES; did you mean `technician`?',
    '`2.roles.Chefs` is no role of the file in ROLES.',
    '`3.keys` names a host of a private network; whoever runs the gateway can allow it by ISSUERS_ALLOW.',
    '`3.signIn.token` must be an address that begins with https://.',
    'it names an issuer twice; give all of it in one entry.',
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
  ['no key', { keys: [] }, /`keys` holds no key/],
  ['something else', [], /it must be a JSON Web Key Set/],
])('%s in the file of the keys is refused, and never shown', (_, content, says) => {
  const problems = problemsOf([entry], { 'jwks.json': content });
  expect(problems).toEqual([expect.stringMatching(says)]);
  expect(problems[0]).toMatch(/^`1\.keys` names jwks\.json, which cannot be used: /);
  expect(problems.join()).not.toContain('c2VjcmV0');
});

test('a file of keys that is missing is named', () => {
  expect(problemsOf([{ ...entry, keys: 'none.json' }])).toEqual([
    expect.stringMatching(/^`1\.keys` .*none\.json.*ENOENT/),
  ]);
});

test('a file of keys that has no end is not read', () => {
  expect(problemsOf([{ ...entry, keys: '/dev/zero' }])).toEqual([
    '`1.keys` names /dev/zero, which cannot be used: it is no file, but a folder, a device or a pipe.',
  ]);
});

test('a key of one’s own that has the form of a token would be taken for one, and is refused', async () => {
  const env = { ISSUERS: issuersFile([]), API_KEY: 'three.parts.of-letters' };
  await expect(startWithPeople({ env })).rejects.toThrow(/API_KEY has the form of a token/);
});
