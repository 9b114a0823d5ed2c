/** Writers race with rules: a record that leaves the sight of a caller while others write it is not written out of sight. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../src/features/keys/api-keys.js';
import { bearing, type GatewayWithPeople, startWithPeople } from './people.js';
import { rolesFile } from './roles.js';

const ofCompany = { company: { eq: '$claims.company' } };
const both = (company: object) => ({
  mechanic: {
    scopes: ['assets:read', 'assets:write', 'assets:delete'],
    types: { AssetRepair: { read: company, create: company, update: company, delete: company } },
  },
});

describe.each(['sqlite', 'postgresql'] as const)('on %s', (database) => {
  let gateway: GatewayWithPeople;
  let file: string;
  let mechanic: Record<string, string>;

  beforeAll(async () => {
    file = rolesFile(both(ofCompany));
    gateway = await startWithPeople({ database, env: { ROLES: file } });
    const claims = '{"company":"ACME"}';
    const { secret } = await createKey(gateway.database, { name: 'mechanic', roles: ['mechanic'], claims });
    mechanic = bearing(secret);
  });
  afterAll(() => gateway.close());

  const create =
    'mutation ($input: CreateAssetRepairInput!) { createAssetRepair(input: $input) { record { id consumedItems { id } } } }';
  const repair = async (company = 'ACME') => {
    const line = { itemCode: 'GEAR', warehouse: 'main' };
    const input = { asset: 'LATHE', failureDate: '2026-11-20', company, consumedItems: [line] };
    return (await gateway.graphql(create, { input })).body.data.createAssetRepair.record;
  };

  test('what a caller writes is written only while it is in sight', async () => {
    const { id, consumedItems } = await repair();
    const line = consumedItems[0].id;
    const writes: [string, object][] = [
      [
        'mutation ($id: ID!, $text: String!) { updateAssetRepair(id: $id, input: { assetName: $text }) { record { version } userErrors { code } } }',
        { id },
      ],
      [
        'mutation ($id: ID!, $text: String!) { saveAssetRepair(id: $id, input: { assetName: $text, consumedItems: [{ itemCode: $text, warehouse: "main" }] }) { record { version } userErrors { code } } }',
        { id },
      ],
      [
        'mutation ($id: ID!, $text: String!) { updateAssetRepairConsumedItem(id: $id, input: { itemCode: $text }) { record { version } userErrors { code } } }',
        { id: line },
      ],
      [
        'mutation ($id: ID!, $text: String!) { createAssetRepairConsumedItem(input: { assetRepairId: $id, itemCode: $text, warehouse: "main" }) { record { version } userErrors { code } } }',
        { id },
      ],
      [
        'mutation ($id: ID!, $text: String!) { updateManyAssetRepairs(updates: [{ id: $id, input: { assetName: $text } }]) { records { version } userErrors { code } } }',
        { id },
      ],
    ];
    const move =
      'mutation ($id: ID!, $company: String!) { updateAssetRepair(id: $id, input: { company: $company }) { record { version } } }';
    let isOver = false;
    let written = 0;
    let refused = 0;
    const writer = async (mark: number) => {
      for (let count = 0; !isOver; count++) {
        const [query, variables] = writes[count % writes.length] ?? ['', {}];
        const { body } = await gateway.graphql(query, { ...variables, text: `by ${mark} ${count}` }, mechanic);
        if (
          body.errors ||
          Object.values<{ userErrors: unknown[] } | null>(body.data).some((each) => each?.userErrors.length)
        )
          refused++;
        else written++;
      }
    };
    const writers = [1, 2, 3, 4].map(writer);
    for (let round = 0; round < 60; round++) {
      await gateway.graphql(move, { id, company: round % 2 ? 'ACME' : 'Umbrella' });
      await new Promise((resolve) => setTimeout(resolve, round % 3));
    }
    isOver = true;
    await Promise.all(writers);
    expect(written).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    // Each entry of the mechanic was made while the company was ACME: the entries of one document are in the order of its versions.
    const entries = await gateway.database.client.$queryRawUnsafe<
      { keyName: string; changes: string; recordId: string }[]
    >(
      `SELECT "keyName", "changes", "recordId" FROM "JournalEntry" WHERE "documentId" = '${id}' ORDER BY "revision", "entry"`,
    );
    let company: string | null = 'ACME';
    let outOfSight = 0;
    for (const { keyName, changes, recordId } of entries) {
      if (keyName === 'mechanic' && company !== 'ACME') outOfSight++;
      const changed = JSON.parse(changes).company;
      if (recordId === id && changed) company = Array.isArray(changed) ? changed[1] : changed;
    }
    expect(entries.filter(({ keyName }) => keyName === 'mechanic').length).toBeGreaterThan(0);
    expect(outOfSight).toBe(0);
  }, 120_000);

  test('roles that are read anew under load: no answer mixes two files', async () => {
    for (let count = 0; count < 30; count++) await repair(count % 2 ? 'ACME' : 'Umbrella');
    const { writeFileSync } = await import('node:fs');
    let isOver = false;
    const seen = new Set<string>();
    let answers = 0;
    const reader = async () => {
      while (!isOver) {
        const { body } = await gateway.graphql(
          '{ one: assetRepairs(first: 100) { totalCount nodes { company } } two: assetRepairs(first: 100) { nodes { company } } }',
          {},
          mechanic,
        );
        const companies = [body.data.one, body.data.two].map(({ nodes }) =>
          [...new Set(nodes.map((each: { company: string }) => each.company))].join(),
        );
        expect(body.data.one.totalCount).toBe(body.data.one.nodes.length);
        expect(companies[0]).toBe(companies[1]);
        seen.add(companies[0] ?? '');
        answers++;
      }
    };
    const readers = [reader(), reader(), reader()];
    for (let round = 0; round < 40; round++) {
      writeFileSync(file, JSON.stringify(both(round % 2 ? ofCompany : { company: { eq: 'Umbrella' } })));
      gateway.reload();
      // Of four more answers to three readers, one was asked for after this.
      const enough = answers + 4;
      await expect.poll(() => answers, { interval: 5 }).toBeGreaterThanOrEqual(enough);
    }
    isOver = true;
    await Promise.all(readers);
    expect([...seen].sort()).toEqual(['ACME', 'Umbrella']);
  }, 120_000);
});
