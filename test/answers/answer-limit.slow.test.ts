import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseInTurn, type providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const kilobyte = 1024;
const text = (bytes: number, letter = 'x') => letter.repeat(bytes);
const aliases = (count: number, field: string) => Array.from({ length: count }, (_, i) => `a${i}: ${field}`).join(' ');

/** 14 kB that ask one record for the same text 3,900 times: 30 aliases in a fragment, which each object spreads again. */
const bomb = (times: number) => `query ($id: ID!) { ${aliases(times, 'assetRepair(id: $id) { ...T }')} }
  fragment T on AssetRepair { ${aliases(30, 'description')} }`;

interface Case {
  database: (typeof providers)[number];
  compiled: boolean;
}
const cases: Case[] = databaseInTurn(import.meta.filename).flatMap((database) =>
  [true, false].map((compiled) => ({ database, compiled })),
);

describe.each(cases)('an answer on $database, compiled: $compiled, of 1 MB at most', ({ database, compiled }) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ database, compiled, env: { ANSWER_LIMIT: '1' } });
  });
  afterAll(() => gateway.close());

  const repair = async (description: string, more: object = {}): Promise<string> => {
    const { body } = await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      { input: { failureDate: '2026-01-01', asset: 'A', description, ...more } },
    );
    return body.data.createAssetRepair.record.id;
  };
  const refused = (answer: Awaited<ReturnType<TestGateway['graphql']>>) => {
    if (answer.body?.errors?.[0].extensions.reason === 'internal') console.log(gateway.logLines.at(-2));
    expect(answer.body?.data ? { data: answer.text.length } : answer.body).toEqual({
      errors: [
        {
          message: expect.stringContaining('fewer records'),
          extensions: {
            code: 'QUERY_TOO_COMPLEX',
            reason: 'answer_too_large',
            limit: 1024 * 1024,
            requestId: expect.any(String),
          },
        },
      ],
    });
    expect(answer.status).toBe(400);
  };

  it('refuses one text asked for again and again', async () => {
    const id = await repair(text(100 * kilobyte));
    refused(await gateway.graphql(bomb(10), { id }));
    refused(
      await gateway.graphql(`query ($id: ID!) { assetRepair(id: $id) { ${aliases(11, 'description')} } }`, { id }),
    );
    const passes = await gateway.graphql(
      `query ($id: ID!) { assetRepair(id: $id) { ${aliases(10, 'description')} } }`,
      {
        id,
      },
    );
    expect(passes.status).toBe(200);
    expect(passes.text.length).toBeGreaterThan(1000 * kilobyte);
  });

  it('counts to the byte', async () => {
    const answerOf = (bytes: number) => `{"description":"${text(bytes)}"}`;
    const fits = 1024 * 1024 - answerOf(0).length;
    const query = 'query ($id: ID!) { assetRepair(id: $id) { description } }';
    const [id, other] = [await repair(text(1000)), await repair(text(1000))];
    const grow = (record: string, description: string) =>
      gateway.database.client.assetRepair.update({ where: { id: record }, data: { description } });
    await grow(id, text(fits));
    await grow(other, text(fits + 1));
    const { body, status } = await gateway.graphql(query, { id });
    expect(status).toBe(200);
    expect(body.data.assetRepair.description).toHaveLength(fits);
    refused(await gateway.graphql(query, { id: other }));
    // What JSON escapes counts as it is written.
    await grow(id, `"${text(fits - 2)}`);
    expect((await gateway.graphql(query, { id })).status).toBe(200);
    await grow(id, `"${text(fits - 1)}`);
    refused(await gateway.graphql(query, { id }));
  });

  it('refuses pages on both surfaces', async () => {
    for (let i = 0; i < 12; i++) await repair(text(100 * kilobyte));
    refused(await gateway.graphql('{ assetRepairs(first: 12) { nodes { description } } }'));
    refused(await gateway.graphql('{ assetRepairs(first: 12) { edges { cursor node { description } } } }'));
    refused(
      await gateway.graphql(
        '{ assetRepairs(first: 12, orderBy: [{ field: FAILURE_DATE }]) { nodes { description } } }',
      ),
    );
    refused(await gateway.graphql('{ assetRepairs(last: 12) { nodes { description } } }'));
    const rest = await gateway.rest('GET', '/api/assets/asset-repair?limit=12');
    expect(rest.status).toBe(400);
    expect(rest.body.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'answer_too_large',
      limit: 1024 * 1024,
      message: expect.stringContaining('fewer records'),
    });
    expect((await gateway.rest('GET', '/api/assets/asset-repair?limit=9')).status).toBe(200);
  });

  it('refuses lines, and lines of lines', async () => {
    const consumedItems = Array.from({ length: 40 }, () => ({ itemCode: text(5 * kilobyte), warehouse: 'W' }));
    const id = await repair('x', { consumedItems });
    const ask = (selection: string) =>
      gateway.graphql(`query ($id: ID!) { assetRepair(id: $id) { ${selection} } }`, { id });
    expect((await ask('consumedItems { itemCode }')).status).toBe(200);
    refused(await ask(`consumedItems { ${aliases(6, 'itemCode')} }`));
    refused(await ask(aliases(6, 'consumedItems { itemCode }')));
    refused(await ask(`consumedItems(limit: 10) { assetRepair { consumedItems { itemCode } } }`));
    refused(await ask(`consumedItems(orderBy: [{ field: ITEM_CODE }]) { ${aliases(6, 'itemCode')} }`));
    refused(await ask(`consumedItems(where: { warehouse: { eq: "W" } }) { ${aliases(6, 'itemCode')} }`));
  });

  it('undoes a change whose answer it refuses', async () => {
    const id = await repair(text(100 * kilobyte));
    const input = { failureDate: '2026-01-01', asset: 'undone', description: text(100 * kilobyte) };
    const before = await gateway.database.client.assetRepair.count();
    refused(
      await gateway.graphql(
        `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { ${aliases(11, 'description')} } } }`,
        { input },
      ),
    );
    refused(
      await gateway.graphql(
        `mutation ($id: ID!, $input: UpdateAssetRepairInput!) {
          updateAssetRepair(id: $id, input: $input) { record { ${aliases(11, 'description')} } }
        }`,
        { id, input: { asset: 'undone' } },
      ),
    );
    refused(
      await gateway.graphql(
        `mutation ($id: ID!) { submitAssetRepair(id: $id) { record { ${aliases(11, 'description')} displayTitle } } }`,
        { id },
      ),
    );
    expect(await gateway.database.client.assetRepair.count()).toBe(before);
    expect(await gateway.database.client.assetRepair.findUnique({ where: { id } })).toMatchObject({
      asset: 'A',
      status: 'draft',
      version: 1,
    });
    const passes = await gateway.graphql(
      `mutation ($id: ID!) { submitAssetRepair(id: $id) { record { ${aliases(9, 'description')} displayTitle } } }`,
      { id },
    );
    expect(passes.body.errors).toBeUndefined();
  });

  // Counted after the object is built: it repeats its texts too rarely to be counted in advance.
  it('undoes a change whose answer is a single object that is too large', async () => {
    const texts = { description: text(110 * kilobyte), actionsPerformed: text(110 * kilobyte, 'y') };
    const twoTexts = (times: number) =>
      Object.keys(texts).map((name) => Array.from({ length: times }, (_, i) => `${name}${i}: ${name}`).join(' '));
    const change = (asset: string, times: number) =>
      gateway.graphql(
        `mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { ${twoTexts(times).join(' ')} } } }`,
        { input: { failureDate: '2026-01-01', asset, ...texts } },
      );
    refused(await change('too large', 5));
    expect((await change('large', 4)).body.errors).toBeUndefined();
    expect(await gateway.database.client.assetRepair.count({ where: { asset: 'too large' } })).toBe(0);
  });
});
