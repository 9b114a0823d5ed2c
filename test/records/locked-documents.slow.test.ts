/** With LOCK_SUBMITTED, submitted and cancelled documents keep their fields and lines, in every kind of write. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rows } from '../../src/common/work.js';
import { startGateway, type TestGateway } from '../support/gateway.js';

const repair = `id version status company
  consumedItems { id idx itemCode version }`;

interface Repair {
  id: string;
  version: number;
  consumedItems: { id: string; idx: number }[];
}

/** A change of the repair, by its GraphQL text or by a REST call. */
type Change = (of: Repair) => { query: string; variables?: Record<string, unknown> } | [string, string, unknown?];

const [base, lines] = ['/api/assets/asset-repair', '/api/assets/asset-repair-consumed-item'];
const line = { itemCode: 'NEW', warehouse: 'W' };

const changes: Record<string, Change> = {
  'an update': ({ id }) => ({
    query: `mutation { updateAssetRepair(id: "${id}", input: { company: "B" }) { record { id } } }`,
  }),
  'an update that answers more': ({ id }) => ({
    query: `mutation { updateAssetRepair(id: "${id}", input: { company: "B" }) { record { id actions { action } } } }`,
  }),
  'an update that cancels too': ({ id }) => ({
    query: `mutation { updateAssetRepair(id: "${id}", input: { company: "B", status: CANCELLED }) { record { id } } }`,
  }),
  'updates of many': ({ id }) => ({
    query: `mutation { updateManyAssetRepairs(updates: [{ id: "${id}", input: { company: "B" } }]) { records { id } } }`,
  }),
  'a save of a field': ({ id }) => ({
    query: `mutation { saveAssetRepair(id: "${id}", input: { company: "B" }) { record { id } } }`,
  }),
  'a save of lines': ({ id }) => ({
    query: `mutation { saveAssetRepair(id: "${id}", input: { consumedItems: [] }) { record { id } } }`,
  }),
  'a rehearsed save': ({ id }) => ({
    query: `mutation { saveAssetRepair(id: "${id}", input: { consumedItems: [] }, validateOnly: true) { changes { fields } } }`,
  }),
  'a deletion': ({ id }) => ({ query: `mutation { deleteAssetRepair(id: "${id}") { deletedId } }` }),
  'deletions of many': ({ id }) => ({ query: `mutation { deleteManyAssetRepairs(ids: ["${id}"]) { deletedIds } }` }),
  'a new line': ({ id }) => ({
    query: `mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }`,
    variables: { input: { ...line, assetRepairId: id } },
  }),
  'a new line in front': ({ id }) => ({
    query: `mutation ($input: CreateAssetRepairConsumedItemInput!) { createAssetRepairConsumedItem(input: $input) { record { id } } }`,
    variables: { input: { ...line, assetRepairId: id, idx: 1 } },
  }),
  'a change of a line': ({ consumedItems: [first] }) => ({
    query: `mutation { updateAssetRepairConsumedItem(id: "${first?.id}", input: { itemCode: "B" }) { record { id } } }`,
  }),
  'a move of a line': ({ consumedItems: [first] }) => ({
    query: `mutation { updateAssetRepairConsumedItem(id: "${first?.id}", input: { idx: 2 }) { record { id idx } } }`,
  }),
  'a deletion of a line': ({ consumedItems: [first] }) => ({
    query: `mutation { deleteAssetRepairConsumedItem(id: "${first?.id}") { deletedId } }`,
  }),
  'another order': ({ id, consumedItems }) => ({
    query:
      'mutation ($id: ID!, $ids: [ID!]) { reorderAssetRepairConsumedItems(parentId: $id, ids: $ids) { records { id } } }',
    variables: { id, ids: consumedItems.map((each) => each.id).reverse() },
  }),
  PATCH: ({ id }) => ['PATCH', `${base}/${id}`, { company: 'B' }],
  DELETE: ({ id }) => ['DELETE', `${base}/${id}`],
  'POST of a line': ({ id }) => ['POST', lines, { item_code: 'NEW', warehouse: 'W', asset_repair_id: id }],
  'PATCH of a line': ({ consumedItems: [first] }) => ['PATCH', `${lines}/${first?.id}`, { item_code: 'B' }],
  'DELETE of a line': ({ consumedItems: [first] }) => ['DELETE', `${lines}/${first?.id}`],
};

const gateways = (
  [
    { database: 'sqlite', journal: 'true', observed: false },
    { database: 'postgresql', journal: 'true', observed: false },
    { database: 'postgresql', journal: 'false', observed: false },
    { database: 'sqlite', journal: 'false', observed: true },
    { database: 'postgresql', journal: 'true', observed: true },
  ] as const
).flatMap((one) => [true, false].map((compiled) => ({ ...one, compiled })));

describe.each(gateways)(
  'locked documents on $database, journal $journal, observed $observed, compiled $compiled',
  ({ database, journal, observed, compiled }) => {
    let gateway: TestGateway;
    const observedChanges: unknown[] = [];
    // biome-ignore lint/correctness/useYield: an observer need not run statements
    function* observe(seen: readonly unknown[]): Generator<never, void> {
      observedChanges.push(...seen);
    }
    beforeAll(async () => {
      const onChange = observed ? [observe] : [];
      const env = { LOCK_SUBMITTED: 'true', JOURNAL: journal };
      gateway = await startGateway({ database, env, onChange, compiled });
    });
    afterAll(() => gateway.close());

    const data = async (query: string, variables: Record<string, unknown> = {}) => {
      const { body } = await gateway.graphql(query, variables);
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    const make = async (...actions: string[]): Promise<Repair> => {
      const input = {
        failureDate: '2026-01-01',
        asset: 'A',
        company: 'A',
        consumedItems: ['1', '2', '3'].map((itemCode) => ({ ...line, itemCode })),
      };
      const {
        made: { record: made },
      } = await data(
        `mutation ($input: CreateAssetRepairInput!) { made: createAssetRepair(input: $input) { record { id } } }`,
        { input },
      );
      for (const action of actions) await data(`mutation { ${action}AssetRepair(id: "${made.id}") { record { id } } }`);
      return (await data(`{ found: assetRepair(id: "${made.id}") { ${repair} } }`)).found;
    };
    const ask = async (change: ReturnType<Change>) => {
      if (Array.isArray(change)) return gateway.rest(...change);
      return gateway.graphql(change.query, change.variables);
    };
    const stored = async ({ id }: Repair) =>
      (await data(`{ found: assetRepair(id: "${id}") { ${repair} updatedAt } }`)).found;
    const entries = () =>
      gateway.database.perform(function* () {
        return (yield* rows('SELECT count(*) FROM "JournalEntry"', [])).map(Number);
      });

    test.each(Object.keys(changes))('%s changes a draft, and nothing of a submitted or cancelled one', async (name) => {
      const change = changes[name] ?? (() => ({ query: '' }));
      for (const [status, ...actions] of [
        ['submitted', 'submit'],
        ['cancelled', 'submit', 'cancel'],
      ] as const) {
        const locked = await make(...actions);
        const [before, position, seen] = [await stored(locked), await entries(), observedChanges.length];
        const { status: code, body } = await ask(change(locked));
        const allowed = status === 'submitted' ? ['cancel'] : [];
        if (Array.isArray(change(locked))) {
          expect({ code, error: body.error }).toMatchObject({
            code: 409,
            error: { code: 'invalid_state', current_state: status, allowed_actions: allowed },
          });
        } else {
          expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_STATE' });
          expect(JSON.stringify(body.errors)).toContain(`"allowedActions":${JSON.stringify(allowed).toUpperCase()}`);
        }
        expect([await stored(locked), await entries(), observedChanges.length]).toEqual([before, position, seen]);
      }
      if (name === 'an update that cancels too') return;
      const draft = await make();
      const { status: code, body } = await ask(change(draft));
      expect({ errors: body?.errors, isRefused: code >= 400 }).toEqual({ isRefused: false });
    });

    test('a write without a difference is accepted', async () => {
      const { id, version, consumedItems } = await make('submit');
      const [first] = consumedItems;
      for (const each of [
        `updateAssetRepair(id: "${id}", input: { company: "A", status: SUBMITTED }) { record { id } }`,
        `updateManyAssetRepairs(updates: [{ id: "${id}", input: { company: "A" } }]) { records { id } }`,
        `saveAssetRepair(id: "${id}", input: { company: "A", consumedItems: [${consumedItems.map((one) => `{ id: "${one.id}" }`)}] }) { record { id } }`,
        `updateAssetRepairConsumedItem(id: "${first?.id}", input: { itemCode: "1", idx: 1 }) { record { id } }`,
        `reorderAssetRepairConsumedItems(parentId: "${id}") { records { id } }`,
      ])
        await data(`mutation { ${each} }`);
      expect((await data(`{ found: assetRepair(id: "${id}") { version } }`)).found).toEqual({ version });
    });

    test('it can be cancelled: by cancel, by its status, in a list and beside values that it has', async () => {
      for (const each of [
        (id: string) => `cancelAssetRepair(id: "${id}") { record { id } }`,
        (id: string) => `updateAssetRepair(id: "${id}", input: { status: CANCELLED }) { record { id } }`,
        (id: string) => `updateAssetRepair(id: "${id}", input: { status: CANCELLED, company: "A" }) { record { id } }`,
        (id: string) =>
          `updateManyAssetRepairs(updates: [{ id: "${id}", input: { status: CANCELLED, company: "A" } }]) { records { id } }`,
        (id: string) => `saveAssetRepair(id: "${id}", input: { status: CANCELLED, company: "A" }) { record { id } }`,
      ]) {
        const { id, version } = await make('submit');
        await data(`mutation { ${each(id)} }`);
        expect((await data(`{ found: assetRepair(id: "${id}") { status version } }`)).found).toEqual({
          status: 'CANCELLED',
          version: version + 1,
        });
      }
    });

    test('a list with one that is locked is refused whole, and says which', async () => {
      const [draft, locked] = [await make(), await make('submit')];
      const updates = [draft, locked].map(({ id }) => ({ id, input: { company: 'C' } }));
      const { body } = await gateway.graphql(
        'mutation ($updates: [UpdateManyAssetRepairsItem!]!) { updateManyAssetRepairs(updates: $updates) { records { id } } }',
        { updates },
      );
      expect(body.errors[0].extensions).toMatchObject({
        code: 'INVALID_STATE',
        errors: [{ param: 'updates[1]', code: 'invalid_state', currentState: 'SUBMITTED', allowedActions: ['CANCEL'] }],
      });
      const deleted = await gateway.graphql(
        'mutation ($ids: [ID!]!) { deleteManyAssetRepairs(ids: $ids) { deletedIds } }',
        { ids: [draft.id, locked.id] },
      );
      expect(deleted.body.errors[0].extensions).toMatchObject({
        code: 'INVALID_STATE',
        errors: [{ param: 'ids[1]' }],
      });
      expect(await stored(draft)).toMatchObject({ company: 'A', version: 1 });
    });

    test('`actions` and the preview show it beforehand, for lines too', async () => {
      const { id } = await make('submit');
      const selected = 'actions { action allowed reason }';
      const query = `{ found: assetRepair(id: "${id}") { ${selected} consumedItems(limit: 1) { id assetRepair { id } ${selected} } } }`;
      const { found } = await data(query);
      const reason = 'It is submitted, and submitted documents are locked here; it can only be cancelled.';
      expect(found.actions).toEqual([
        { action: 'UPDATE', allowed: false, reason },
        { action: 'SUBMIT', allowed: false, reason: 'It is submitted already.' },
        { action: 'CANCEL', allowed: true, reason: null },
        { action: 'DELETE', allowed: false, reason },
      ]);
      expect(found.consumedItems[0]).toMatchObject({
        assetRepair: { id },
        actions: ['UPDATE', 'DELETE'].map((action) => ({
          action,
          allowed: false,
          reason: `Of its Asset Repair: ${reason}`,
        })),
      });
      const draft = await data(query.replace(id, (await make()).id));
      expect(draft.found.actions.map((each: { allowed: boolean }) => each.allowed)).toEqual([true, true, false, true]);
      expect(draft.found.consumedItems[0].actions.map((each: { allowed: boolean }) => each.allowed)).toEqual([
        true,
        true,
      ]);
    });

    test('the preview of a deletion says why it is refused', async () => {
      const { id } = await make('submit');
      const query =
        'query ($id: ID!, $action: RecordAction!) { seen: previewAction(id: $id, action: $action) { allowed reason } }';
      const { seen } = await data(query, { id, action: 'DELETE' });
      expect(seen).toEqual({
        allowed: false,
        reason: expect.stringContaining('This Asset Repair is submitted, and this gateway keeps'),
      });
      expect((await data(query, { id, action: 'CANCEL' })).seen).toEqual({ allowed: true, reason: null });
    });

    test('lines that may belong to any record are locked with the document that they name', async () => {
      const {
        card: { record: card },
      } = await data('mutation { card: createJobCard(input: {}) { record { id } } }');
      const log = `mutation ($id: ID!) { log: createJobCardTimeLog(input: { parentId: $id, parentType: "Job Card" }) { record { id } } }`;
      const {
        log: { record: first },
      } = await data(log, { id: card.id });
      await data(`mutation { submitJobCard(id: "${card.id}") { record { id } } }`);
      const { found } = await data(
        `{ found: jobCardTimeLog(id: "${first.id}") { actions { action allowed reason } } }`,
      );
      expect(found.actions).toEqual(
        ['UPDATE', 'DELETE'].map((action) => ({
          action,
          allowed: false,
          reason: expect.stringContaining('Of its Job Card: It is submitted'),
        })),
      );
      for (const [query, variables] of [
        [log, { id: card.id }],
        [
          `mutation { updateJobCardTimeLog(id: "${first.id}", input: { idx: 1, employee: "E" }) { record { id } } }`,
          {},
        ],
        [`mutation { deleteJobCardTimeLog(id: "${first.id}") { deletedId } }`, {}],
      ] as const) {
        const { body } = await gateway.graphql(query, variables);
        expect(body.errors?.[0].extensions).toMatchObject({ code: 'INVALID_STATE', currentState: 'SUBMITTED' });
      }
      // Lines of a record that is not stored here have no document that could be locked.
      await data(log, { id: `elsewhere-${card.id}` });
    });

    test('a change and a submit at the same time: one comes first, and nothing is changed behind the submit', async () => {
      for (let round = 0; round < 8; round++) {
        const { id, consumedItems } = await make();
        const [changed] = await Promise.all([
          gateway.graphql(
            `mutation { updateAssetRepairConsumedItem(id: "${consumedItems[0]?.id}", input: { itemCode: "late" }) { record { id } } }`,
          ),
          gateway.graphql(`mutation { submitAssetRepair(id: "${id}") { record { id } } }`),
        ]);
        const now = (await data(`{ found: assetRepair(id: "${id}") { status consumedItems { itemCode } } }`)).found;
        expect(now.status).toBe('SUBMITTED');
        expect(now.consumedItems[0].itemCode).toBe(changed.body.errors ? '1' : 'late');
      }
    });
  },
);

test('without the setting submitted documents are changed as before', async () => {
  const gateway = await startGateway();
  try {
    const input = { failureDate: '2026-01-01', asset: 'A', company: 'A' };
    const made = await gateway.graphql(
      'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id } } }',
      { input },
    );
    const { id } = made.body.data.createAssetRepair.record;
    await gateway.graphql(`mutation { submitAssetRepair(id: "${id}") { record { id } } }`);
    const { body } = await gateway.graphql(
      `mutation { updateAssetRepair(id: "${id}", input: { company: "B" }) { record { company } } }`,
    );
    expect(body.data.updateAssetRepair.record).toEqual({ company: 'B' });
  } finally {
    await gateway.close();
  }
});
