import { expect, test } from 'vitest';
import { SqliteConnection } from '../../src/database/sqlite-connection.js';
import { StatementCache } from '../../src/database/statement-cache.js';

test('a full cache forgets the oldest that was not used', () => {
  const cache = new StatementCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 3);
  expect(cache.get('b')).toBeUndefined();
  expect([cache.get('a'), cache.get('c'), cache.size]).toEqual([1, 3, 2]);
});

test('a full cache all of which was used forgets the oldest', () => {
  const cache = new StatementCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  expect([cache.get('a'), cache.get('b')]).toEqual([1, 2]);
  cache.set('c', 3);
  expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([undefined, 2, 3, 2]);
});

test('a connection keeps no more statements than it was told', () => {
  const connection = new SqliteConnection(':memory:', { statementsKept: 3 });
  for (let i = 0; i < 50; i++) {
    expect(connection.query({ sql: `SELECT ${i} AS n`, args: [], argTypes: [] }).rows).toEqual([[i]]);
  }
  expect(connection.preparedStatements).toBe(3);
  connection.close();
});

test('a kept statement goes on being right when the table changes under it', () => {
  const connection = new SqliteConnection(':memory:');
  const all = { sql: 'SELECT * FROM t', args: [], argTypes: [] };
  connection.script('CREATE TABLE t (a TEXT); INSERT INTO t VALUES (1)');
  expect(connection.query(all).rows).toEqual([['1']]);
  connection.script('DROP TABLE t; CREATE TABLE t (a INTEGER); INSERT INTO t VALUES (2)');
  expect(connection.query(all).rows).toEqual([[2]]);
  connection.close();
});
