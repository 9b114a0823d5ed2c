import { expect } from 'vitest';
import type { TestGateway } from '../support/gateway.js';

/**
 * The SQL statements an operation took. Left out are BEGIN and COMMIT, which a group of writes shares, and the look-up
 * of the API key, which is remembered for a while.
 */
export async function statementsOf(
  gateway: TestGateway,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<string[]> {
  const before = gateway.statements.length;
  const { body, text } = await gateway.graphql(query, variables);
  expect(body.errors, text).toBeUndefined();
  return gateway.statements.slice(before).filter((sql) => !/^(BEGIN|COMMIT|ROLLBACK)|"ApiKey"|`ApiKey`/i.test(sql));
}
