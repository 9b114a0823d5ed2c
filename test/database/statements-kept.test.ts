import type { ArgType } from '@prisma/driver-adapter-utils';
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

test('a limit or offset that is bound does not make SQLite parse and plan the statement again at each execution', () => {
  const connection = new SqliteConnection(':memory:');
  connection.script('CREATE TABLE t (a TEXT)');
  const columns = Array.from({ length: 500 }, (_, index) => `json_object('a', a, 'b', ${index}) AS "LIMIT ?${index}"`);
  const page = (end: string) => `SELECT ${columns} FROM t ORDER BY a LIMIT ${end}`;
  const timeOf = (sql: string, values: number[]) => {
    const before = process.cpuUsage();
    for (let i = 0; i < 100; i++) expect(connection.rows(sql, values)).toEqual([]);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  timeOf(page('20'), []);
  const once = timeOf(page('20'), []);
  expect(timeOf(page('?1 OFFSET ?2'), [20, 10])).toBeLessThan(10 * once + 10_000);
  connection.close();
});

test('limits and offsets that are bound, by position or by number, choose the rows; quoted names and texts stay', () => {
  const connection = new SqliteConnection(':memory:');
  connection.script('CREATE TABLE t (a TEXT); INSERT INTO t VALUES (1), (2), (3), (4)');
  const argTypes: ArgType[] = Array(2).fill({ scalarType: 'int', arity: 'scalar' });
  const sql = `SELECT a, 'LIMIT ?' AS "limit ?1" FROM t ORDER BY a limit ? OFFSET ?`;
  const { rows, columnNames } = connection.query({ sql, args: [2, 1], argTypes });
  expect([columnNames, rows]).toEqual([
    ['a', 'limit ?1'],
    [
      ['2', 'LIMIT ?'],
      ['3', 'LIMIT ?'],
    ],
  ]);
  expect(connection.rows('SELECT a FROM t ORDER BY a LIMIT ?2 OFFSET ?1', [3, -1])).toEqual([['4']]);
  connection.close();
});

test('values are bound by the numbers of their placeholders, in any order, and one that is missing is an error', () => {
  const connection = new SqliteConnection(':memory:');
  const sql = `SELECT ?2, '?1', ?1, "x?3", ?2 FROM (SELECT 'named' AS "x?3") LIMIT ?3 OFFSET ?4`;
  expect(connection.rows(sql, ['one', 'two', 1, 0])).toEqual([['two', '?1', 'one', 'named', 'two']]);
  expect(connection.rows(sql, ['one', 'two', 1, 0, 'not named'])).toEqual([['two', '?1', 'one', 'named', 'two']]);
  expect(() => connection.rows(sql, ['one', 'two', 1])).toThrow('There is no value for ?4');
  expect(connection.rows('SELECT ?, ? LIMIT ?', [1, 2, 3])).toEqual([[1, 2]]);
  const query = { args: ['one', 'two'], argTypes: Array(2).fill({ scalarType: 'string', arity: 'scalar' }) };
  expect(connection.query({ ...query, sql: 'SELECT ?2, ?1' }).rows).toEqual([['two', 'one']]);
  connection.script('CREATE TABLE t (a TEXT, b TEXT)');
  expect(connection.execute({ ...query, sql: 'INSERT INTO t VALUES (?2, ?1)' })).toBe(1);
  const numbered = { sql: 'UPDATE t SET a = ?2 WHERE b = ?1', values: ['one', 'three'], isCounted: true };
  expect(connection.run(numbered)).toEqual([[1]]);
  expect(connection.rows('SELECT a, b FROM t', [])).toEqual([['three', 'one']]);
  connection.close();
});
