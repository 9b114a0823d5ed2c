/** SQL answers the plain form of some operations, and only the resolvers answer the form `resolved`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { documentOf } from './document.js';
import type { GraphqlVariant } from './graphql-variants.js';
import { graphqlCallOf, newTarget, operations } from './operations/index.js';
import { insertTargets } from './stored-records.js';

/** Operations whose plain form SQL answers. Add an operation here when it is compiled. */
const bySql = new Set(['a record', 'a page', 'lines', 'create', 'create with lines', 'update', 'submit', 'cancel']);

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
  });
  afterAll(() => gateway.close());

  const loggedWayOf = async (
    name: string,
    form: GraphqlVariant['form'],
    given: GraphqlVariant['arguments'],
  ): Promise<unknown> => {
    const operation = operations.find((each) => each.name === name) ?? operations[0];
    if (!operation) throw new Error('There are no operations');
    const target = newTarget(`${name}-${form}-${given}`);
    if (operation.needs) await insertTargets(gateway.database, [{ target, needs: operation.needs }]);
    const call = graphqlCallOf(operation, target);
    const selection = form === 'resolved' ? (operation.resolved ?? '') : call.selection;
    const document = documentOf({ ...call, selection }, { form, arguments: given, document: 'one operation' });
    const { headers, body } = await gateway.rest('POST', '/graphql', document);
    expect(body.errors).toBeUndefined();
    const line = gateway.logLines.find(
      (text) => text.includes(`"${headers.get('x-request-id')}"`) && text.includes('"way"'),
    );
    return line && JSON.parse(line).way;
  };

  test.each([...bySql])('%s is answered by SQL', async (name) => {
    expect(await loggedWayOf(name, 'plain', 'variables')).toBe('sql');
    expect(await loggedWayOf(name, 'fragment', 'variables')).toBe('sql');
  });

  test.each(operations.filter(({ resolved }) => resolved).map(({ name }) => name))(
    '%s is answered by the resolvers if it selects what only they know',
    async (name) => {
      expect(await loggedWayOf(name, 'resolved', 'variables')).toBe('resolvers');
      expect(await loggedWayOf(name, 'resolved', 'literals')).toBe('resolvers');
    },
  );
});
