import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';

/**
 * The SQL statements of an operation, without BEGIN and COMMIT, which a group of writes shares, without the look-up of
 * the API key, which is cached for a while, and without the one statement for the journal of a change on SQLite.
 */
export async function statementsOf(
  gateway: TestGateway,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<string[]> {
  const before = gateway.statements.length;
  const { body, text } = await gateway.graphql(query, variables);
  expect(body.errors, text).toBeUndefined();
  const statements = gateway.statements
    .slice(before)
    .filter((sql) => !/^(BEGIN|COMMIT|ROLLBACK)|"ApiKey"|`ApiKey`/i.test(sql));
  if (gateway.database.provider === 'postgresql') return statements;
  const others = statements.filter((sql) => !sql.includes('INSERT INTO "JournalEntry"'));
  expect(statements.length - others.length).toBeLessThanOrEqual(1);
  return others;
}

/**
 * Checks that an operation takes the same number of statements, `most` at most, with each of the variables. Other tests
 * check the exact number.
 */
export async function expectAsMany(
  gateway: TestGateway,
  most: number,
  query: string,
  variables: Record<string, unknown>[],
): Promise<void> {
  const taken: string[][] = [];
  for (const given of variables) taken.push(await statementsOf(gateway, query, given));
  const counts = taken.map(({ length }) => length);
  expect(new Set(counts).size, `${counts.join(', ')} statements:\n${taken.at(-1)?.join('\n')}`).toBe(1);
  expect(counts[0], taken[0]?.join('\n')).toBeLessThanOrEqual(most);
}
