/** Of the two forms in the matrix, SQL answers one and the resolvers answer the other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databaseInTurn } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { attemptOf, deeds, newTarget } from './deeds/index.js';
import { documentOf } from './document.js';
import { put } from './found.js';
import type { Way } from './ways.js';

/**
 * Deeds that SQL answers in their plain form. Only the resolvers answer the others; add a deed here when it is
 * compiled.
 */
const bySql = new Set(['a record', 'a page', 'lines', 'create', 'create with lines', 'update', 'submit', 'cancel']);

describe.each(databaseInTurn(import.meta.filename))('on %s', (provider) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database: provider });
  });
  afterAll(() => gateway.close());

  const wayOf = async (name: string, form: Way['form'], given: Way['arguments']): Promise<unknown> => {
    const deed = deeds.find((each) => each.name === name) ?? deeds[0];
    if (!deed) throw new Error('There are deeds');
    const target = newTarget(`${name}-${form}-${given}`);
    if (deed.needs) await put(gateway.database, [{ target, needs: deed.needs }]);
    const attempt = attemptOf(deed, target);
    const selection = form === 'resolved' ? (deed.resolved ?? '') : attempt.selection;
    const document = documentOf({ ...attempt, selection }, { form, arguments: given, document: 'one operation' });
    const { headers, body } = await gateway.rest('POST', '/graphql', document);
    expect(body.errors).toBeUndefined();
    const line = gateway.logLines.find(
      (text) => text.includes(`"${headers.get('x-request-id')}"`) && text.includes('"way"'),
    );
    return line && JSON.parse(line).way;
  };

  test.each([...bySql])('%s is answered by SQL', async (name) => {
    expect(await wayOf(name, 'plain', 'variables')).toBe('sql');
    expect(await wayOf(name, 'fragment', 'variables')).toBe('sql');
  });

  test.each(deeds.filter(({ resolved }) => resolved).map(({ name }) => name))(
    '%s is left to the resolvers where it selects what only they know',
    async (name) => {
      expect(await wayOf(name, 'resolved', 'variables')).toBe('resolvers');
      expect(await wayOf(name, 'resolved', 'literals')).toBe('resolvers');
    },
  );
});
