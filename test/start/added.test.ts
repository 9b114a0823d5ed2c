/** The feature that docs/features.md shows, added as it stands there. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { features } from '../../src/features.js';
import { readConfig, settings } from '../../src/gateway/config/config.js';
import type { Feature } from '../../src/gateway/feature.js';
import { commandHelp } from '../commands/help.js';
import { records } from '../commands/records.js';
import { freshFolder } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { schemaOf, serve } from '../support/schema.js';

const [, code = ''] = readFileSync('docs/features.md', 'utf8').split(/```ts\n|```\n/);

/** From a file of its own, which imports from here as it would from `src/features/quota/`. */
async function shown(): Promise<Feature> {
  const file = join(freshFolder(), 'index.ts');
  writeFileSync(file, code.replaceAll("'../../", `'${process.cwd()}/src/`));
  const { quota }: { quota: Feature } = await import(file);
  return quota;
}

test('the feature of the docs brings a setting, a command, a field, an endpoint, a hook in the change and a metric', async () => {
  const quota = await shown();
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  const list = [...features, quota];
  const names = settings(list).map(({ name }) => name);
  // Behind LOCK_SUBMITTED, as it says, and behind those of the features before it that say so too.
  expect(names.slice(names.indexOf('LOCK_SUBMITTED'), names.indexOf('MOST_INDUSTRIES'))).toEqual([
    'LOCK_SUBMITTED',
    'SEARCH',
    'FEDERATION',
  ]);
  expect(commandHelp(list).find(({ name }) => name === 'quota')?.text).toContain('--most-industries <value>');
  expect(() => readConfig({ MOST_INDUSTRIES: 'two' }, list)).toThrow('MOST_INDUSTRIES must be a whole number from 1');

  const measured: [string, number][] = [];
  const served = await serve({ MOST_INDUSTRIES: '2' }, list, ({ name }, value) => void measured.push([name, value]));
  const gateway = await startGateway({ features: served, schema: schemaOf(served) });
  onTestFinished(() => gateway.close());
  const create = (industry: string) => gateway.rest('POST', '/api/crm/industry-type', { industry });
  const left = async () => (await gateway.graphql('{ industryQuota }')).body;
  expect(await left()).toEqual({ data: { industryQuota: 2 } });
  expect([(await create('Ships')).status, (await create('Trains')).status]).toEqual([201, 201]);
  expect((await create('Planes')).body.error.message).toContain('is one of more than 2');
  expect(await left()).toEqual({ data: { industryQuota: 0 } });
  const headers = { authorization: `Bearer ${gateway.key}` };
  const answer = await fetch(`${gateway.url}/api/industry-quota`, { headers });
  expect([answer.status, answer.headers.get('x-graphql-operation'), await answer.json()]).toEqual([
    200,
    'IndustryQuota',
    0,
  ]);
  expect((await (await fetch(`${gateway.url}/openapi.json`, { headers })).json()).paths).toHaveProperty([
    '/api/industry-quota',
  ]);
  expect(measured).toEqual([['refused_industries_total', 1]]);
  const { text } = await records(['quota'], { DATABASE_URL: gateway.config.databaseUrl }, undefined, '', list);
  expect(text).toBe('2 of 1000\n');
});
