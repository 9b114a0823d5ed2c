/** Large results of PostgreSQL are received one at a time, so that several together do not fill the memory. */
import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { databaseProblem } from '../../src/database/database-problem.js';
import { resultLimits } from '../../src/database/postgresql/result-limits.js';
import { emptyDatabaseUrl } from '../support/database.js';

/** Bytes of a row, and the number of rows that are received before a result is large; the network may add one. */
const size = 1_000_000;
const small = 5;

let pool: pg.Pool;
/** The number of the connection of each row, in the order in which they arrived. */
let rows: number[];
let connections = 0;

beforeEach(async () => {
  rows = [];
  pool = new pg.Pool({ connectionString: await emptyDatabaseUrl('postgresql'), max: 10 });
  pool.on('connect', resultLimits(10, undefined));
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    const number = ++connections;
    client.connection.on('dataRow', ({ length }: { length: number }) => length > size && rows.push(number));
  });
  onTestFinished(() => pool.end());
});

const ask = async (count: number, column = `repeat('x', ${size})`) =>
  (await pool.query(`SELECT ${column} FROM generate_series(1, ${count})`)).rowCount;

test('large results are received whole, one at a time', async () => {
  expect(await Promise.all([ask(20), ask(20), ask(20)])).toEqual([20, 20, 20]);

  const seen = new Map<number, number>();
  const late = rows.filter((connection) => {
    seen.set(connection, (seen.get(connection) ?? 0) + 1);
    return (seen.get(connection) ?? 0) > small;
  });
  // Once it is large, each is received without the others.
  const changes = late.filter((connection, index) => connection !== late[index - 1]);
  expect(changes).toHaveLength(3);
});

test('small results pass large ones that wait', async () => {
  const large = Promise.all([ask(30), ask(30), ask(30)]);
  const answered: string[] = [];
  await Promise.all([large.then(() => answered.push('large')), ask(1).then(() => answered.push('small'))]);
  expect(answered).toEqual(['small', 'large']);
});

test('a result that fails or is too large gives its turn to the next', async () => {
  const tooLarge = ask(200);
  const failing = ask(10, `repeat('x', ${size} / (10 - generate_series))`);
  const outcomes = await Promise.allSettled([tooLarge, failing, ask(20)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await ask(20)).toBe(20);
});

test('when too many wait, further ones are refused as busy', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => ask(20)));
  const problems = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  expect(problems.length).toBeGreaterThan(0);
  expect(problems.length).toBeLessThan(10);
  expect(problems.map(databaseProblem)).toEqual(problems.map(() => 'busy'));
  expect(await ask(20)).toBe(20);
});

test('results that become large with their last part leave their connections usable', async () => {
  // Where a part ends is up to the network, so lengths just above the limit are tried.
  const lengths = [10, 2_000, 10_000, 30_000];
  for (const more of [...lengths, ...lengths]) {
    const column = `repeat('x', ${4 * 1024 * 1024 + more})`;
    expect(await Promise.all([1, 2, 3, 4].map(() => ask(1, column)))).toEqual([1, 1, 1, 1]);
  }
  expect(await Promise.all(Array.from({ length: 10 }, () => ask(1, `'small'`)))).toHaveLength(10);
});
