import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';

/**
 * The SQL statements an operation took. Left out are BEGIN and COMMIT, which a group of writes shares, and the look-up
 * of the API key, which is remembered for a while. So is the one statement that a change on SQLite needs for the journal.
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
 * Makes sure that an operation takes the same number of statements, `most` at most, whichever of the variables it is
 * given. How many fewer it takes is for the tests of whoever saves them.
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
