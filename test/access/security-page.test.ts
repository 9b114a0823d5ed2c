/** `docs/security.md` says what is so. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

const page = readFileSync('docs/security.md', 'utf8');

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const rowsOf = (name: string) =>
  (page.split(`<!-- ${name} -->`)[1]?.split(`<!-- /${name} -->`)[0] ?? '')
    .trim()
    .split('\n')
    .slice(2)
    .map((row) => row.split('|').map((cell) => cell.trim()));

describe('the table of risks', () => {
  const rows = rowsOf('owasp');

  test('has the ten of 2023, in their order', () => {
    expect(rows.map(([, risk = '']) => risk.split(' ')[0])).toEqual(
      Array.from({ length: 10 }, (_, index) => `API${index + 1}:2023`),
    );
  });

  test.each(rows.map(([, risk = '', , tests = '']) => ({ risk, tests })))('shows $risk by tests', ({ tests }) => {
    const paths = [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) expect(path).toMatch(/^\.\.\/test\/.*\.test\.ts$/);
  });
});

test.each([
  ['GET', '/api/assets/asset-repair'],
  ['POST', '/graphql'],
  ['GET', '/healthz'],
  ['GET', '/nowhere'],
])('the headers are on the answer to %s %s', async (method, path) => {
  const answer = await gateway.rest(method, path, method === 'POST' ? { query: '{ __typename }' } : undefined);
  const rows = rowsOf('headers');
  expect(rows.length).toBeGreaterThan(6);
  for (const [, header = '', value = ''] of rows) {
    expect([header, `\`${answer.headers.get(header.replaceAll('`', ''))}\``]).toEqual([header, value]);
  }
});

test('it says how attacks are run', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(page).toMatch(/^## Attacks\n\n`npm run test:faults -- attack`/m);
  expect(scripts['test:faults']).toContain('test/faults/run.ts');
});
