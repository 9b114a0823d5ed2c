/** The possible actions of a record, the reasons against the others, and previews of their effects, as data. */
import { describe, expect, test } from 'vitest';
import { callerWith } from '../access/keys.js';
import { type DocumentedResource, documentedResources, documentLike } from '../contract/document.js';
import { modelName } from '../contract/documented-fields.js';
import { mutationOf } from '../contract/graphql-names.js';
import { onBothDatabases } from '../contract/on-both-databases.js';
import { ask, refusal } from './ask.js';
import { createRepair, repairInput } from './asset-repairs.js';
import { createRecord, documented } from './records.js';
import { statementsOf } from './statements.js';

const preview = `query ($id: ID!, $action: RecordAction!, $version: Int) {
  preview: previewAction(id: $id, action: $action, expectedVersion: $version) {
    allowed reason changes { field from to } deletes { list type count }
  }
}`;
const nothing = { changes: [], deletes: [] };

onBothDatabases((gateway, share) => {
  describe('actions', () => {
    test.each(share(documentLike.map((title) => [title, documented(title)] as const)))(
      'of %s follow its state, and say why one is not allowed',
      async (_, resource) => {
        const { id } = await createRecord(gateway(), resource);
        expect(await actionsOf(resource, id)).toEqual([
          ['UPDATE', true, null],
          ['SUBMIT', true, null],
          ['CANCEL', false, 'It is a draft; only what is submitted can be cancelled.'],
          ['DELETE', true, null],
        ]);
        await run(mutationOf('submit', resource), id);
        expect(await actionsOf(resource, id)).toEqual([
          ['UPDATE', true, null],
          ['SUBMIT', false, 'It is submitted already.'],
          ['CANCEL', true, null],
          ['DELETE', true, null],
        ]);
        await run(mutationOf('cancel', resource), id);
        expect(await actionsOf(resource, id)).toEqual([
          ['UPDATE', true, null],
          ['SUBMIT', false, 'It is cancelled, its final state.'],
          ['CANCEL', false, 'It is cancelled already.'],
          ['DELETE', true, null],
        ]);
      },
    );

    test.each(
      documentedResources
        .filter(({ title }) => !documentLike.includes(title))
        .map((resource): [string, DocumentedResource] => [resource.title, resource]),
    )('of %s, which has no states, are update and, but for a singleton, delete', async (_, resource) => {
      const isSingleton = resource.kind === 'singleton';
      const id = isSingleton ? `${resource.slug}_default` : (await createRecord(gateway(), resource)).id;
      expect(await actionsOf(resource, id)).toEqual([
        ['UPDATE', true, null],
        ...(isSingleton ? [] : [['DELETE', true, null]]),
      ]);
    });

    test('of a free status, which Serial No has, are not bound by it', async () => {
      const { id } = await createRecord(gateway(), documented('Serial No'), { status: 'submitted' });
      expect(await actionsOf(documented('Serial No'), id)).toEqual([
        ['UPDATE', true, null],
        ['DELETE', true, null],
      ]);
    });

    test('are only those the key may do', async () => {
      const { id } = await createRepair(gateway());
      const caller = await callerWith(gateway(), 'assets:read', 'assets:submit');
      const { body } = await caller.graphql('query ($id: ID!) { assetRepair(id: $id) { actions { action reason } } }', {
        id,
      });
      const lacking = (scope: string) => `This API key lacks the scope \`assets:${scope}\`.`;
      expect(body.data.assetRepair.actions).toEqual([
        { action: 'UPDATE', reason: lacking('write') },
        { action: 'SUBMIT', reason: null },
        { action: 'CANCEL', reason: 'It is a draft; only what is submitted can be cancelled.' },
        { action: 'DELETE', reason: lacking('delete') },
      ]);
    });

    test('of a whole page, of lines and of their parents cost no statement of their own', async () => {
      await createRepair(gateway(), repairInput({ consumedItems: 2 }));
      const query = (actions: string) =>
        `{ assetRepairs { nodes { id ${actions} consumedItems { id ${actions} assetRepair { id ${actions} } } } } }`;
      const statements = await statementsOf(gateway(), query('actions { action allowed }'));
      expect(statements.length).toBeLessThanOrEqual(3);
    });
  });

  describe('a preview', () => {
    test('of UPDATE is refused, whatever the id, and names validateOnly', async () => {
      for (const id of [(await createRepair(gateway())).id, 'unknown']) {
        expect((await refusal(gateway(), preview, { id, action: 'UPDATE' })).extensions).toMatchObject({
          code: 'BAD_USER_INPUT',
          errors: [{ param: 'action', message: expect.stringContaining('validateOnly') }],
        });
      }
    });

    test.each([
      ['SUBMIT', [], [{ field: 'status', from: 'DRAFT', to: 'SUBMITTED' }]],
      ['CANCEL', ['submitAssetRepair'], [{ field: 'status', from: 'SUBMITTED', to: 'CANCELLED' }]],
    ])('of %s tells what would change, and changes nothing', async (action, before, changes) => {
      const { id } = await createRepair(gateway(), repairInput({ consumedItems: 2 }));
      for (const mutation of before) await run(mutation, id);
      const stored = await whole(id);
      expect(await previewOf(id, action)).toEqual({ allowed: true, reason: null, changes, deletes: [] });
      expect(await whole(id)).toEqual(stored);
    });

    test('of delete reports which lines would be deleted, list by list, and deletes none', async () => {
      const { id, items } = await createRepair(gateway(), repairInput({ consumedItems: 3 }));
      const before = [await whole(id), await total()];
      expect(await previewOf(id, 'DELETE')).toEqual({
        allowed: true,
        reason: null,
        changes: [],
        deletes: [
          { list: 'consumedItems', type: 'ASSET_REPAIR_CONSUMED_ITEM', count: 3 },
          { list: 'purchaseInvoices', type: 'ASSET_REPAIR_PURCHASE_INVOICE', count: 0 },
        ],
      });
      expect([await whole(id), await total()]).toEqual(before);
      expect(await previewOf(items[1] ?? '', 'DELETE')).toEqual({ allowed: true, reason: null, ...nothing });
      expect([await whole(id), await total()]).toEqual(before);
    });

    test('counts the time logs that a job card takes along', async () => {
      const {
        card: { record: card },
      } = await ask(
        gateway(),
        'mutation { card: createJobCard(input: { timeLogs: [{ employee: "a" }, { employee: "b" }] }) { record { id } } }',
      );
      expect((await previewOf(card.id, 'DELETE')).deletes).toEqual([
        { list: 'timeLogs', type: 'JOB_CARD_TIME_LOG', count: 2 },
      ]);
    });

    test('of an action that is not possible says why', async () => {
      const { id } = await createRepair(gateway());
      expect(await previewOf(id, 'CANCEL')).toEqual({
        allowed: false,
        reason: 'This Asset Repair is draft and cannot become cancelled. What it allows now: submit.',
        ...nothing,
      });
      for (const action of ['SUBMIT', 'DELETE']) {
        expect(await previewOf(id, action, 7)).toEqual({
          allowed: false,
          reason: expect.stringMatching(/^This Asset Repair is at version 1, not at the one you expect\./),
          ...nothing,
        });
      }
      const uom = await createRecord(gateway(), documented('UOM Category'));
      expect(await previewOf(uom.id, 'SUBMIT')).toMatchObject({
        allowed: false,
        reason: 'A UOM Category cannot be submitted.',
      });
      expect(await previewOf('subscription-settings_default', 'DELETE')).toMatchObject({
        allowed: false,
        reason: 'A Subscription Settings cannot be deleted.',
      });
    });

    test.each(['asset-repair_unknown', 'no id at all'])('of %s is null', async (id) => {
      expect(await previewOf(id, 'DELETE')).toBeNull();
    });

    test('is for those who may read the record, and allows what the key may do', async () => {
      const { id } = await createRepair(gateway());
      const stranger = await callerWith(gateway(), 'assets:write', 'stock:read');
      const refused = (await stranger.graphql(preview, { id, action: 'DELETE' })).body;
      expect(refused.errors[0].extensions).toMatchObject({ code: 'FORBIDDEN', missingScopes: ['assets:read'] });
      const reader = await callerWith(gateway(), 'assets:read');
      expect((await reader.graphql(preview, { id, action: 'DELETE' })).body.data.preview).toEqual({
        allowed: false,
        reason: 'This API key lacks the scope `assets:delete`.',
        ...nothing,
      });
    });

    test('takes as many statements for many lines as for few, one for all lists that would go', async () => {
      for (const consumedItems of [1, 200]) {
        const { id } = await createRepair(gateway(), repairInput({ consumedItems }));
        expect(await statementsOf(gateway(), preview, { id, action: 'DELETE' })).toHaveLength(3);
        expect(await statementsOf(gateway(), preview, { id, action: 'SUBMIT' })).toHaveLength(3);
      }
    });
  });

  async function actionsOf(resource: DocumentedResource, id: string) {
    const query = `query ($id: ID!) { node(id: $id) { ... on ${modelName(resource.title)} {
      actions { action allowed reason }
    } } }`;
    const { node } = await ask(gateway(), query, { id });
    return node.actions.map(({ action, allowed, reason }: Record<string, unknown>) => [action, allowed, reason]);
  }

  async function previewOf(id: string, action: string, version?: number) {
    return (await ask(gateway(), preview, { id, action, version })).preview;
  }

  async function run(mutation: string, id: string): Promise<void> {
    await ask(gateway(), `mutation ($id: ID!) { ${mutation}(id: $id) { record { id } } }`, { id });
  }

  async function whole(id: string) {
    const query = `query ($id: ID!) { assetRepair(id: $id) {
      version status updatedAt consumedItems { id idx version } purchaseInvoices { id }
    } }`;
    return (await ask(gateway(), query, { id })).assetRepair;
  }

  async function total(): Promise<number> {
    return (await ask(gateway(), '{ assetRepairs { totalCount } }')).assetRepairs.totalCount;
  }
});
