import { expect, test } from 'vitest';
import { features } from '../../src/features.js';
import { keptOf, settingsOf } from '../../src/gateway/workers/worker.js';
import { readConfig } from '../support/settings.js';

const configOf = (env: Record<string, string>) => readConfig({ DATABASE_URL: 'postgresql://primary/records', ...env });
const [none, one, other] = [
  configOf({}),
  configOf({ DATABASE_READ_URL: 'postgresql://one/records', RATE_LIMIT: '5' }),
  configOf({ DATABASE_READ_URL: 'postgresql://other/records', COST_LIMIT: '7' }),
];

test('a worker that starts later may read from other standbys, but from none only where all do', () => {
  const standbys = [
    [one, other],
    [one, none],
    [none, other],
    [none, none],
  ] as const;
  expect(
    standbys.map(([kept, own]) => settingsOf(own, keptOf(kept.texts, features), features).databaseReadUrl),
  ).toEqual([['postgresql://other/records'], ['postgresql://one/records'], [], []]);
  expect(settingsOf(other, keptOf(one.texts, features), features)).toMatchObject({ rateLimit: 5, costLimit: 7 });
});
