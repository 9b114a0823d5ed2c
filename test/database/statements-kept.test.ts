import { expect, test } from 'vitest';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js';

test('a connection keeps no more of its statements than it was told, by their length', () => {
  const connection = new SqliteConnection(':memory:', { charactersKept: 3_100 });
  for (let i = 0; i < 50; i++) {
    expect(connection.query({ sql: `SELECT ${i} AS n`, args: [], argTypes: [] }).rows).toEqual([[i]]);
  }
  expect(connection.preparedStatements).toBe(3);
  connection.query({ sql: `SELECT '${'x'.repeat(1_500)}'`, args: [], argTypes: [] });
  expect(connection.preparedStatements).toBe(1);
  connection.query({ sql: `SELECT '${'x'.repeat(5_000)}'`, args: [], argTypes: [] });
  expect(connection.preparedStatements).toBe(1);
  connection.close();
});

test('a write of many rows is not kept, as it rarely repeats; a long read is', () => {
  const connection = new SqliteConnection(':memory:');
  connection.script('CREATE TABLE t (a TEXT)');
  const insert = (rows: number) =>
    connection.execute({ sql: `INSERT INTO t VALUES ${Array(rows).fill('(NULL)')}`, args: [], argTypes: [] });
  expect(insert(2_000)).toBe(2_000);
  expect(connection.preparedStatements).toBe(0);
  expect(insert(20)).toBe(20);
  expect(connection.preparedStatements).toBe(1);
  connection.query({ sql: `SELECT '${'x'.repeat(9_000)}'`, args: [], argTypes: [] });
  expect(connection.preparedStatements).toBe(2);
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
