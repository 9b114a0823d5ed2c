/** In an order by a long text, cursors stay short enough to be sent back, and lead through the list like any other. */
import { beforeAll, describe, expect, test } from 'vitest';
import { longFields } from '../attacks/datasets.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { databaseInTurn } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { ask, refusal } from './ask.js';
import { createRepairs, repairInput } from './asset-repairs.js';

const databases = databaseInTurn(import.meta.filename);

/** They differ only at the end; two are equal, one is null. */
const texts = ['b', 'a', 'd', 'a', 'c'].map((end) => 'ä'.repeat(300) + end);

const query = `query ($first: Int, $after: String, $last: Int, $before: String, $direction: SortDirection!) {
  assetRepairs(orderBy: [{ field: DESCRIPTION, direction: $direction }], first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id } }
    pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
  }
}`;

describe.each([true, false])('compiled: %s', (compiled) => {
  onBothDatabases(
    (gateway) => {
      let ids: string[] = [];
      beforeAll(async () => {
        ids = await createRepairs(gateway(), texts.length + 1);
        for (const [index, description] of texts.entries()) await describeRepair(ids[index], description);
      });

      const describeRepair = (id: string | undefined, description: string | null) =>
        ask(
          gateway(),
          'mutation ($id: ID!, $description: String) { updateAssetRepair(id: $id, input: { description: $description }) { record { id } } }',
          { id, description },
        );
      const page = async (variables: Record<string, unknown>) => {
        const { assetRepairs } = await ask(gateway(), query, { direction: 'ASC', ...variables });
        const edges: { cursor: string; node: { id: string } }[] = assetRepairs.edges;
        return {
          ids: edges.map(({ node }) => node.id),
          cursors: edges.map(({ cursor }) => cursor),
          ...assetRepairs.pageInfo,
        };
      };
      /** Ascending, equal ones newest first, and null last. */
      const inOrder = () => [3, 1, 0, 4, 2, 5].map((index) => ids[index]);

      test('they are short, and walk the list from either end', async () => {
        const walked: string[] = [];
        for (let after: string | null = null; ; ) {
          const { ids: found, endCursor, hasNextPage } = await page({ first: 2, after });
          expect(endCursor.length).toBeLessThan(300);
          walked.push(...found);
          after = endCursor;
          if (!hasNextPage) break;
        }
        expect(walked).toEqual(inOrder());
        const { cursors } = await page({ first: 6 });
        expect((await page({ last: 3, before: cursors[4] })).ids).toEqual(inOrder().slice(1, 4));
        expect((await page({ first: 9, after: cursors[0], before: cursors[3] })).ids).toEqual(inOrder().slice(1, 3));
        const { cursors: descending } = await page({ first: 6, direction: 'DESC' });
        expect((await page({ first: 2, after: descending[1], direction: 'DESC' })).ids).toEqual(
          [0, 3].map((index) => ids[index]),
        );
      });

      test('one fits into the address of a GET', async () => {
        const { cursors } = await page({ first: 2 });
        const text = `{ assetRepairs(orderBy: [{ field: DESCRIPTION }], first: 1, after: "${cursors[1]}") { nodes { id } } }`;
        const { body } = await gateway().rest('GET', `/graphql?query=${encodeURIComponent(text)}`);
        expect(body.data.assetRepairs.nodes).toEqual([{ id: inOrder()[2] }]);
      });

      test('one whose record was changed or deleted is refused with what to do; that of another works', async () => {
        const { cursors } = await page({ first: 6 });
        const refused = { code: 'BAD_USER_INPUT', errors: [{ param: 'after', code: 'parameter_invalid' }] };
        await describeRepair(ids[1], 'short');
        const { message, extensions, path } = await refusal(gateway(), query, {
          direction: 'ASC',
          first: 2,
          after: cursors[1],
        });
        expect(extensions).toMatchObject(refused);
        expect(path).toEqual(['assetRepairs']);
        expect(message).toContain('Send the cursor of another record, or none to begin again');
        await ask(gateway(), 'mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id: ids[1] });
        const { extensions: gone } = await refusal(gateway(), query, { direction: 'ASC', after: cursors[1] });
        expect(gone).toMatchObject(refused);
        expect((await page({ first: 1, after: cursors[2] })).ids).toEqual([ids[4]]);
      });

      test('one with a hash in the wrong place, or of another record, is refused', async () => {
        const { cursors } = await page({ first: 2 });
        const [signature, value, id] = JSON.parse(Buffer.from(cursors[1] ?? '', 'base64url').toString());
        const other = JSON.parse(Buffer.from(cursors[0] ?? '', 'base64url').toString());
        for (const values of [
          [signature, value, value],
          [signature, other[1], id],
          [signature, { sha256: 5 }, id],
          [signature, {}, id],
          [signature, { sha256: '' }, 'asset-repair_none'],
        ]) {
          const after = Buffer.from(JSON.stringify(values)).toString('base64url');
          const { extensions } = await refusal(gateway(), query, { direction: 'ASC', after });
          expect(extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ param: 'after' }] });
        }
      });

      test('a text of 200 characters stands in the cursor, whatever becomes of its record', async () => {
        const [made = ''] = await createRepairs(gateway(), 1, repairInput({ asset: '!' }));
        const orderBy = 'orderBy: [{ field: ASSET }]';
        await ask(
          gateway(),
          `mutation ($id: ID!) { updateAssetRepair(id: $id, input: { asset: "${'!'.repeat(200)}" }) { record { id } } }`,
          { id: made },
        );
        const { assetRepairs } = await ask(
          gateway(),
          `{ assetRepairs(${orderBy}, first: 1) { edges { cursor node { id } } } }`,
        );
        expect(assetRepairs.edges[0].node.id).toBe(made);
        await ask(gateway(), 'mutation ($id: ID!) { deleteAssetRepair(id: $id) { deletedId } }', { id: made });
        await ask(gateway(), `{ assetRepairs(${orderBy}, after: "${assetRepairs.edges[0].cursor}") { nodes { id } } }`);
      });
    },
    { compiled },
  );
});

const orderBy = `orderBy: [${longFields.map((field) => `{ field: ${field.replace(/[A-Z]/g, '_$&').toUpperCase()} }`).join()}]`;

test.each(databases)('cursors of 8 texts of 1 MB send none of them to %s, and find their place', async (database) => {
  let longest = 0;
  const gateway = await startGateway({
    database,
    onStatement: (_, values) => {
      longest = Math.max(longest, JSON.stringify(values).length);
    },
  });
  const [first, second, third] = await createRepairs(gateway, 3, repairInput({ asset: 'x' }));
  const write = (id: string | undefined, input: Record<string, string>) =>
    ask(
      gateway,
      'mutation ($id: ID!, $input: UpdateAssetRepairInput!) { updateAssetRepair(id: $id, input: $input) { record { id } } }',
      { id, input },
    );
  const mega = 'x'.repeat(1_000_000);
  for (const field of longFields) await write(second, { [field]: mega });
  const small = Object.fromEntries(longFields.map((field) => [field, 'x']));
  await write(first, small);
  // In UTF-16, both have more than 200 characters.
  await write(third, { ...small, assetName: 'y', project: '😀'.repeat(150), company: '😀'.repeat(201) });
  const { list } = await ask(gateway, `{ list: assetRepairs(${orderBy}) { edges { cursor node { id } } } }`);
  const edges: { cursor: string; node: { id: string } }[] = list.edges;
  expect(edges.map(({ node }) => node.id)).toEqual([first, second, third]);
  const cursor = edges[1]?.cursor;
  expect(cursor?.length).toBeLessThan(1_200);
  const { list: byResolvers } = await ask(
    gateway,
    `{ list: assetRepairs(${orderBy}, first: 3) { edges { cursor node { id actions { action } } } } }`,
  );
  const resolved: { cursor: string }[] = byResolvers.edges;
  expect(resolved.map((edge) => edge.cursor)).toEqual(edges.map((edge) => edge.cursor));
  const { list: beyond } = await ask(
    gateway,
    `{ list: assetRepairs(${orderBy}, last: 1, before: "${edges[2]?.cursor}") { nodes { id } } }`,
  );
  expect(beyond.nodes).toEqual([{ id: second }]);

  longest = 0;
  const page = '{ nodes { id } pageInfo { hasNextPage hasPreviousPage } }';
  const { after, before, between } = await ask(
    gateway,
    `query ($cursor: String) {
      after: assetRepairs(${orderBy}, first: 1, after: $cursor) ${page}
      before: assetRepairs(${orderBy}, last: 1, before: $cursor) ${page}
      between: assetRepairs(${orderBy}, first: 1, after: $cursor, before: $cursor) ${page}
    }`,
    { cursor },
  );
  expect(after).toEqual({ nodes: [{ id: third }], pageInfo: { hasNextPage: false, hasPreviousPage: true } });
  expect(before).toEqual({ nodes: [{ id: first }], pageInfo: { hasNextPage: true, hasPreviousPage: false } });
  expect(between.nodes).toEqual([]);
  // A page that begins with the long record has to say whether there is a page before it.
  const { with: whole } = await ask(
    gateway,
    `query ($cursor: String) { with: assetRepairs(${orderBy}, first: 1, after: $cursor) ${page} }`,
    { cursor: edges[0]?.cursor },
  );
  expect(whole).toEqual({ nodes: [{ id: second }], pageInfo: { hasNextPage: true, hasPreviousPage: true } });
  expect(longest).toBeLessThan(5_000);
  await write(second, { project: 'y' });
  const { message } = await refusal(
    gateway,
    `query ($c: String) { assetRepairs(${orderBy}, before: $c) { nodes { id } } }`,
    {
      c: cursor,
    },
  );
  expect(message).toContain('whose `project` has changed');
  await gateway.close();
});
