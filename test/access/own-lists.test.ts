/** The lists of the gateway's own things are connections: from either end, by cursor and by offset, read with a limit. */
import { expect, test } from 'vitest';
import { onDatabaseInTurn } from '../contract/on-both-databases.js';
import { ask, refusal } from '../graphql/ask.js';
import { upTo } from '../graphql/asset-repairs.js';

const page =
  'totalCount nodes { id } edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
/** Two of them at one instant, of which the id decides. */
const instants = [1, 2, 2, 3, 4].map((second) => new Date(second * 1000));

onDatabaseInTurn(import.meta.filename, (gateway) => {
  async function store(): Promise<void> {
    const { client } = gateway().database;
    await client.apiKey.deleteMany({ where: { id: { startsWith: 'brg\\_list' } } });
    await client.webhook.deleteMany();
    await client.webhookAttempt.deleteMany();
    for (const [index, createdAt] of instants.entries()) {
      const webhook = {
        url: 'http://127.0.0.1/',
        name: 'n',
        types: '',
        actions: '',
        keyId: 'environment',
        position: 0,
        fingerprint: '',
      };
      await client.webhook.create({ data: { ...webhook, id: `wh_${index}`, createdAt } });
      const future = new Date(Date.now() + 100_000_000 + createdAt.getTime());
      await client.apiKey.create({ data: { id: `brg_list_${index}`, name: 'n', hash: `${index}`, createdAt: future } });
      const attempt = { webhookId: 'wh_0', messageId: 'm', at: createdAt, milliseconds: 1 };
      await client.webhookAttempt.create({ data: { ...attempt, id: `attempt_${index}` } });
    }
    await client.webhookAttempt.create({
      data: { id: 'attempt_9', webhookId: 'wh_1', messageId: 'm', at: new Date(), milliseconds: 1 },
    });
  }

  test('a cursor of one is refused by the others, and so is that of the attempts of another webhook', async () => {
    await store();
    const lists = ['apiKeys(', 'webhooks(', 'webhookAttempts(id: "wh_0",', 'webhookAttempts(id: "wh_1",'];
    for (const list of lists) {
      const { it } = await ask(gateway(), `{ it: ${list} first: 1) { pageInfo { endCursor } } }`);
      for (const argument of ['after', 'before'])
        for (const other of lists) {
          const query = `{ ${other} ${argument}: "${it.pageInfo.endCursor}") { nodes { __typename } } }`;
          const { body } = await gateway().graphql(query);
          const refused = body.errors?.[0].extensions.errors[0].param;
          expect([query, refused]).toEqual([query, other === list ? undefined : argument]);
        }
    }
  });

  test.each([
    ['apiKeys', '', 'brg_list_', 'id'],
    ['webhooks', '', 'wh_', 'id'],
    ['webhookAttempts', 'id: "wh_0",', 'attempt_', 'messageId'],
  ])('%s', async (field, args, prefix, shown) => {
    await store();
    const selection = page.replaceAll('{ id }', `{ ${shown} }`);
    const read = async (more: string) =>
      (await ask(gateway(), `{ it: ${field}(${args} ${more}) { ${selection} } }`)).it;
    const whole = await read('first: 5');
    const cursors: string[] = whole.edges.map(({ cursor }: { cursor: string }) => cursor);
    const places = (edges: { cursor: string }[]) => edges.map(({ cursor }) => cursors.indexOf(cursor));
    expect(new Set(cursors).size).toBe(5);
    expect(cursors.map((cursor) => cursor.endsWith(prefix + [4, 3, 2, 1, 0][cursors.indexOf(cursor)]))).toEqual(
      upTo(5).map(() => true),
    );
    expect(whole.nodes).toEqual(whole.edges.map(({ node }: { node: object }) => node));
    const others = whole.totalCount - 5;
    for (const [more, expected, next, previous] of [
      ['first: 2', [0, 1], true, false],
      [`first: 2, after: "${cursors[1]}"`, [2, 3], true, true],
      [`last: 2, before: "${cursors[3]}"`, [1, 2], true, true],
      [`before: "${cursors[2]}"`, [0, 1], true, false],
      ['first: 2, offset: 1', [1, 2], true, true],
      ['first: 3, last: 1', [2], true, true],
      [`after: "${cursors[2]}", before: "${cursors[4]}"`, [3], false, true],
      ['first: 0', [], true, false],
    ] as const) {
      const { edges, pageInfo, totalCount } = await read(more);
      expect([more, places(edges), totalCount]).toEqual([more, expected, whole.totalCount]);
      expect(pageInfo, more).toEqual({
        hasNextPage: next,
        hasPreviousPage: previous,
        startCursor: edges[0]?.cursor ?? null,
        endCursor: edges.at(-1)?.cursor ?? null,
      });
    }
    expect(whole.pageInfo.hasNextPage).toBe(others > 0);
    const [name] = cursors[0]?.split('.') ?? [];
    for (const cursor of ['x!', `${name}.${field === 'webhookAttempts' ? '1_wh_0' : 'wh_0'}`]) {
      const { extensions } = await refusal(gateway(), `{ ${field}(${args} after: "${cursor}") { totalCount } }`);
      expect(extensions.errors).toMatchObject(
        [{ param: 'after', message: /not a cursor/ }].map((each) => ({
          ...each,
          message: expect.stringMatching(each.message),
        })),
      );
    }
    const { extensions } = await refusal(gateway(), `{ ${field}(${args} last: 1, offset: 1) { totalCount } }`);
    expect(extensions.errors).toMatchObject([{ param: 'offset' }]);
  });
});
