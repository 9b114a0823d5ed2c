/** Aggregates, entities of a supergraph, and what logs say of statements, for callers with roles. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { federated } from '../features/federation/subgraph.js';
import { providers } from '../support/database.js';
import { errorsOf } from './keys.js';
import { repairOf, startRuled } from './rules.js';

describe.each(providers)('on %s', (database) => {
  test.each([true, false])('compiled: %s', async (compiled) => {
    const gateway = await startRuled(database, { SLOW_OPERATION: '1' }, { compiled, schema: federated });
    const plain = await gateway.caller('plain', 'Secret Company');
    const mine = await repairOf(gateway, 'Secret Company', { description: 'one' });
    const theirs = await repairOf(gateway, 'Other', { description: 'two' });
    const entities = await plain.graphql(
      'query ($of: [_Any!]!) { _entities(representations: $of) { ... on AssetRepair { id description } ... on AssetRepairConsumedItem { id } } }',
      {
        of: [mine.id, theirs.id]
          .map((id) => ({ __typename: 'AssetRepair', id }))
          .concat([mine.line, theirs.line].map((id) => ({ __typename: 'AssetRepairConsumedItem', id }))),
      },
    );
    expect(entities.body).toEqual({
      data: { _entities: [{ id: mine.id, description: null }, null, { id: mine.line }, null] },
    });
    const aggregate = async (text: string) => plain.graphql(`{ assetRepairAggregate${text} }`);
    expect((await aggregate(' { count groups { count } }')).body.data.assetRepairAggregate).toMatchObject({ count: 1 });
    expect(
      (await aggregate('(groupBy: [{ field: COMPANY }]) { groups { count company { key } } }')).body.data
        .assetRepairAggregate.groups,
    ).toEqual([{ count: 1, company: { key: 'Secret Company' } }]);
    for (const hidden of [
      'groupBy: [{ field: DESCRIPTION }]',
      'where: { description: { eq: "one" } }',
      'where: { not: { description: { isNull: true } } }',
    ])
      expect(errorsOf(await aggregate(`(${hidden}) { groups { count } }`))).toEqual(['FORBIDDEN assetRepairAggregate']);
    // A field of which groups tell by `having`, or by their order.
    const counter = await gateway.caller('counter', 'Secret Company');
    const of = async (text: string) =>
      counter.graphql(`{ assetRepairAggregate(${text}) { groups { count totalRepairCost { sum max } } } }`);
    const group = 'groupBy: [{ field: COMPANY }]';
    expect((await of(group)).body.data.assetRepairAggregate.groups).toEqual([
      { count: 1, totalRepairCost: { sum: null, max: null } },
    ]);
    for (const hidden of [
      'having: { totalRepairCost: { sum: { gt: 5 } } }',
      'having: { or: [{ count: { gt: 0 } }, { not: { totalRepairCost: { max: { lt: 5 } } } }] }',
      'orderBy: [{ field: TOTAL_REPAIR_COST, measure: MAX }]',
    ]) {
      const answer = await of(`${group}, ${hidden}`);
      expect(errorsOf(answer)).toEqual(['FORBIDDEN assetRepairAggregate']);
      expect(answer.body.errors[0].message).toContain('`totalRepairCost` of AssetRepair is hidden from you');
    }
    const below = await plain.graphql(
      '{ assetRepairConsumedItems(parentId: "x", where: { assetRepair: { description: { eq: "one" } } }) { totalCount } }',
    );
    expect(below.body.errors[0].message).toContain('`description` of AssetRepair is hidden from you');
    // What is seen of a version changes with the roles: nobody is told that it has not changed.
    const known = { 'if-none-match': '"1"' };
    const path = `/api/assets/asset-repair/${mine.id}`;
    expect((await gateway.rest('GET', path, undefined, known)).status).toBe(304);
    expect((await plain.rest('GET', path, undefined, known)).body).toMatchObject({ id: mine.id, description: null });
    // Whoever may not change a line is told that first, as of the record itself.
    const stale = { 'if-match': '"7"' };
    const line = `/api/assets/asset-repair-consumed-item/${mine.line}`;
    const asked = [
      plain.rest('PATCH', path, { project: 'P' }, stale),
      plain.rest('PATCH', line, { item_code: 'I' }, stale),
      plain.rest('DELETE', line, undefined, stale),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([403, 403, 403]);
    expect((await gateway.rest('PATCH', line, { item_code: 'I' }, stale)).status).toBe(412);
    const explained = await plain.rest('GET', '/api/assets/asset-repair?_explain=graphql');
    expect(explained.status).toBe(200);
    for (const text of [explained.text, ...gateway.logLines, ...gateway.statements])
      expect(text).not.toContain('Secret Company');
  });

  test('a stored answer is not given to a key that has other rights by now, by REST and GraphQL, and nothing is done again', async () => {
    const gateway = await startRuled(database);
    const author = await gateway.caller('author');
    const input = { asset: 'lathe', failureDate: '2026-01-01', company: 'ACME' };
    const send = async () => [
      await author.rest(
        'POST',
        '/api/assets/asset-repair',
        { asset: 'lathe', failure_date: '2026-01-01', company: 'ACME' },
        { 'Idempotency-Key': 'by-rest' },
      ),
      await author.graphql(
        'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id company } } }',
        { input },
        { 'Idempotency-Key': 'by-graphql' },
      ),
    ];
    const first = (await send()).map(({ body }) => body);
    expect((await send()).map(({ body }) => body)).toEqual(first);
    await gateway.database.client.apiKey.update({
      where: { id: author.id },
      data: { claims: JSON.stringify({ company: 'Other' }) },
    });
    // A key is kept for half a second.
    await sleep(700);
    for (const { status, text } of await send()) {
      expect([status, text]).toEqual([409, expect.stringContaining('your roles give you other rights')]);
      expect(text).not.toContain('ACME');
    }
    expect(await gateway.database.client.assetRepair.count()).toBe(2);
  });
});
