/** `docs/access.md` says what is so. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { readRoles } from '../../src/features/people/roles/read-roles.js';
import { knownScopes } from '../../src/model/scopes.js';
import { documentedResources } from '../contract/document.js';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { sharedGateway } from '../support/shared-gateway.js';
import { callerOf, callerWith } from './keys.js';
import { rolesFile } from './roles.js';

const page = readFileSync('docs/access.md', 'utf8');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const rows = between('<!-- areas -->', '<!-- /areas -->')
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('its table has every scope', () => {
  const shown = rows.flatMap(([, , , scopes = '']) => [...scopes.matchAll(/`([^`]+)`/g)].map(([, scope]) => scope));
  expect(shown.sort()).toEqual(knownScopes.filter((scope) => scope.includes(':')).sort());
});

test.each(documentedResources.filter(({ kind }) => kind !== 'child'))(
  'its table has $title in its area',
  (resource) => {
    const area = rows.find(([, , records = '']) => records.split(/, /).includes(resource.title))?.[1];
    expect(area).toBe(resource.base.split('/')[2]);
  },
);

const bad = { authorization: 'Bearer some-key-that-there-is-not' };

test.each([
  ['401 rest', () => gateway.rest('GET', '/api/assets/asset-repair', undefined, bad)],
  ['401 graphql', () => gateway.graphql('{ __typename }', {}, bad)],
  [
    '403 rest',
    async () => (await callerWith(gateway, 'assets:read')).rest('DELETE', '/api/assets/asset-repair/asset-repair_0'),
  ],
  [
    '403 graphql',
    async () =>
      (await callerWith(gateway, 'stock:read')).graphql('{ serialNos { totalCount } assetRepairs { totalCount } }'),
  ],
])('it shows a %s as it is', async (name, ask) => {
  const shown = between(`<!-- ${name} -->\n\`\`\`json`, '```');
  const { status, body } = await ask();
  expect(withoutIds(body)).toEqual(withoutIds(JSON.parse(shown)));
  expect(status).toBe(name === '403 graphql' ? 200 : Number(name.slice(0, 3)));
});

test('its roles are right ones', () => {
  const file = rolesFile(between('<!-- roles -->\n```json', '```'));
  const problems: string[] = [];
  expect(readRoles(file, resources, problems).map(({ name }) => name)).toEqual(['technician']);
  expect(problems).toEqual([]);
});

test('it shows an explanation as it is, and its commands say the same on the server', async () => {
  const roles = between('<!-- roles -->\n```json', '```');
  const folder = freshFolder();
  const ROLES = rolesFile(roles, folder);
  writeFileSync(join(folder, 'roles.new.json'), roles.replace('"$claims.company"', '"Umbrella"'));
  const own = await startGateway({ env: { ROLES } });
  onTestFinished(own.close);
  const create = `mutation { createAssetRepair(input: { asset: "LATHE", failureDate: "2026-11-20", company: "ACME" }) { record { id } } }`;
  const { id } = (await own.graphql(create)).body.data.createAssetRepair.record;
  const claims = [
    { name: 'company', value: 'ACME' },
    { name: 'companies', value: '["ACME"]' },
  ];
  const { secret, apiKey } = await createKey(own.database, { name: 'a test', roles: ['technician'], claims });
  await own.database.client.assetRepair.update({ where: { id }, data: { createdBy: `key:${apiKey.id}` } });
  const { body } = await callerOf(own, secret).graphql(between('<!-- explain -->\n```graphql', '```'), { id });
  expect(body.data.explainAccess).toEqual(JSON.parse(between('<!-- explained -->\n```json', '```')));

  const main = join(inject('testRun').built, 'src/main.js');
  const run = (name: string) => {
    const script = between(`<!-- ${name} -->\n\`\`\`sh`, '```').replace('asset-repair_01…', id);
    const npx = `set -e; npx() { shift; '${process.execPath}' '${main}' "$@"; }`;
    const env = { PATH: process.env.PATH, DATABASE_URL: own.config.databaseUrl };
    return execFileSync('bash', ['-c', `${npx}\n${script}`], { cwd: folder, env, encoding: 'utf8' });
  };
  expect(run('access explain')).toMatch(
    /^Refused: .+"update".+\$claims.companies is missing, empty or of another type/s,
  );
  expect(run('access diff')).toMatch(/hides 1 of AssetRepair +asset-repair_/);
});

test('its mutation makes a key', async () => {
  const { body } = await gateway.graphql(between('```graphql', '```'));
  expect(body.errors).toBeUndefined();
  expect(body.data.createApiKey).toEqual({
    secret: expect.stringMatching(/^brg_\w{12}_\w{52}$/),
    apiKey: { id: expect.any(String), expiresAt: null },
  });
});

/** The text of the page from behind `start` to the `end` that follows. */
function between(start: string, end: string): string {
  const [, behind = ''] = page.split(start);
  return behind.split(end)[0] ?? '';
}

/** What differs from request to request, or tells only where in the text, made equal. */
function withoutIds(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, inner) =>
    /^request_?id$/i.test(name) ? '…' : name === 'locations' ? undefined : inner,
  );
}
