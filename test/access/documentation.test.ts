/** The tables and the small examples of `docs/access.md`; `first-week.slow.test.ts` follows it from the beginning. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { readRoles } from '../../src/features/people/roles/read-roles.js';
import { knownScopes } from '../../src/model/scopes.js';
import { documentedResources } from '../contract/document.js';
import type { TestGateway } from '../support/gateway.js';
import { resources } from '../support/resources.js';
import { sharedGateway } from '../support/shared-gateway.js';
import { callerWith } from './keys.js';
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

test('it shows a 403 as it is', async () => {
  const caller = await callerWith(gateway, 'stock:read');
  const { status, body } = await caller.graphql('{ serialNos { totalCount } assetRepairs { totalCount } }');
  expect(status).toBe(200);
  expect(withoutIds(body)).toEqual(withoutIds(JSON.parse(between('<!-- 403 graphql -->\n```json', '```'))));
});

test('its roles are right ones', () => {
  const file = rolesFile(between('<!-- roles.json -->\n```json', '```'));
  const problems: string[] = [];
  expect(readRoles(file, resources, problems).map(({ name }) => name)).toEqual(['technician', 'supervisor']);
  expect(problems).toEqual([]);
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
