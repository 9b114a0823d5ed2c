/** A document as it was at an instant. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepJournal } from '../../../src/change/journal/keep-journal.js';
import type { OpenedDatabase } from '../../../src/database/open-database.js';
import { callerWith, errorsOf } from '../../access/keys.js';
import { createRepair, repairInput } from '../../graphql/asset-repairs.js';
import { abandonJournal } from '../../journal/abandoned.js';
import { heldBy } from '../../journal/held.js';
import { providers } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';

describe.each(providers)('on %s', (database) => {
  let gateway: TestGateway;
  /** Called before each read of the journal's entries, between it and the read of the document. */
  let between: (() => Promise<unknown>) | undefined;
  const altered = (real: OpenedDatabase): OpenedDatabase => {
    const read: OpenedDatabase['read'] = async (sql, ...others) => {
      if (sql.includes('"JournalEntry"')) await between?.();
      return (await real.read?.(sql, ...others)) ?? [];
    };
    return new Proxy(real, { get: (target, name) => (name === 'read' ? read : Reflect.get(target, name)) });
  };
  beforeAll(async () => {
    gateway = await startGateway({ database, altered });
  });
  afterAll(() => gateway.close());

  const path = '/api/assets/asset-repair';
  const record = 'id asset status version createdAt updatedAt consumedItems { id itemCode version }';
  const ask = (id: string, asOf: Date | string, selected = record, on = gateway) =>
    on.graphql(`query ($id: ID!, $asOf: DateTime) { assetRepair(id: $id, asOf: $asOf) { ${selected} } }`, { id, asOf });
  const asOf = async (id: string, at: Date | string, selected = record) => {
    const { body, text } = await ask(id, at, selected);
    expect(body.errors, text).toBeUndefined();
    return body.data.assetRepair;
  };
  /** Makes sure that later changes have a later time. */
  const instant = async () => {
    const now = new Date();
    await sleep(3);
    return now;
  };
  const justBefore = (text: string) => new Date(Date.parse(text) - 1);

  test('it is null before the creation, has each version from its own time on, and is null after the deletion', async () => {
    const early = await instant();
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    const first = await asOf(id, await instant());
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'mill' });
    const second = await asOf(id, await instant());
    await gateway.rest('DELETE', `/api/assets/asset-repair-consumed-item/${items[0]}`);
    await instant();
    await gateway.rest('DELETE', `${path}/${id}`);
    const late = await instant();
    expect(await asOf(id, early)).toBeNull();
    expect(await asOf(id, justBefore(first.createdAt))).toBeNull();
    expect(await asOf(id, first.createdAt)).toEqual(first);
    expect(await asOf(id, justBefore(second.updatedAt))).toEqual(first);
    expect(await asOf(id, second.updatedAt)).toEqual(second);
    const [one, other] = items;
    const linesIn = (version: number) => [{ id: `${one}@${version}` }, { id: `${other}@${version}` }];
    expect(first).toMatchObject({ asset: 'lathe', version: 1, consumedItems: linesIn(1) });
    expect(second).toMatchObject({ asset: 'mill', version: 2, consumedItems: linesIn(2) });
    const { body } = await gateway.graphql('query ($id: ID!) { history(id: $id) { nodes { at action version } } }', {
      id,
    });
    const [removed, shortened] = body.data.history.nodes;
    expect(await asOf(id, justBefore(removed.at))).toMatchObject({ version: 3, consumedItems: [{ id: `${other}@3` }] });
    expect(await asOf(id, shortened.at)).toMatchObject({ updatedAt: shortened.at, version: 3 });
    expect(await asOf(id, removed.at)).toBeNull();
    expect(await asOf(id, late)).toBeNull();
  });

  test('its history and actions are those of that time, and its lines refer to it as it was', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1 }));
    const at = await instant();
    await gateway.rest('POST', `${path}/${id}/submit`);
    const selected =
      'allowedActions displayTitle actions { action allowed } history { nodes { version } pageInfo { hasPreviousPage } } consumedItems(limit: 2) { assetRepair { status version consumedItems(limit: 2) { idx } } }';
    expect(await asOf(id, at, selected)).toMatchObject({
      allowedActions: ['SUBMIT'],
      displayTitle: 'lathe',
      actions: expect.arrayContaining([{ action: 'SUBMIT', allowed: true }]),
      history: { nodes: [{ version: 1 }], pageInfo: { hasPreviousPage: false } },
      consumedItems: [{ assetRepair: { status: 'DRAFT', version: 1, consumedItems: [{ idx: 1 }] } }],
    });
  });

  test('however the instant is written, SQL does not answer with the present', async () => {
    const { id } = await createRepair(gateway);
    const at = (await instant()).toISOString();
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'mill' });
    const expected = { assetRepair: { asset: 'lathe' } };
    const offset = at.replace('Z', '+00:00');
    for (const [query, variables] of [
      [`{ assetRepair(id: "${id}", asOf: "${at}") { asset } }`, {}],
      [`{ assetRepair(asOf: "${offset}", id: "${id}") { asset } }`, {}],
      ['query ($id: ID!, $at: DateTime!) { assetRepair(id: $id, asOf: $at) { asset } }', { id, at }],
      [`query ($id: ID!, $at: DateTime = "${at}") { assetRepair(id: $id, asOf: $at) { asset } }`, { id }],
      [
        `query ($id: ID!, $at: DateTime) { ...Q } fragment Q on Query { assetRepair(id: $id, asOf: $at) { ... { asset } } }`,
        { id, at },
      ],
    ] as const) {
      const { body, text } = await gateway.graphql(query, { ...variables });
      expect(body.data, text).toEqual(expected);
    }
    for (const given of ['null', '$none']) {
      const query = `query ($id: ID!, $none: DateTime) { assetRepair(id: $id, asOf: ${given}) { asset } other: assetRepair(id: $id) { asset version(x: $none) } }`;
      const { body } = await gateway.graphql(
        query
          .replace('version(x: $none)', '... @skip(if: false) { id }')
          .replace(/, \$none: DateTime/, given === 'null' ? '' : ', $none: DateTime'),
        { id },
      );
      expect(body.data?.assetRepair).toEqual({ asset: 'mill' });
    }
  });

  test('an instant in the future or of another form is refused', async () => {
    const { id } = await createRepair(gateway);
    const { body } = await ask(id, new Date(Date.now() + 60_000));
    expect(body.data.assetRepair).toBeNull();
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', errors: [{ param: 'asOf' }] });
    for (const text of ['yesterday', '2026-02-30', '2026-01-01T00:00:00.0001Z']) {
      expect((await ask(id, text)).body.errors[0].message).toMatch(/must/);
    }
    expect(await asOf(id, '0001-01-01')).toBeNull();
    expect(await asOf('industry-type_00000000000000000000000000', '2026-01-01')).toBeNull();
  });

  test('a record that never existed is null, if the journal is complete', async () => {
    const unknown = 'asset-repair_01kahzqe0v3m7c2f9x5w8yt4bd';
    expect(await asOf(unknown, await instant())).toBeNull();
    expect(errorsOf(await ask(unknown, '2020-01-01'))).toEqual(['HISTORY_INCOMPLETE assetRepair']);
  });

  test('a credential is masked in a state of the past, also in the newest one, so that each state has one answer', async () => {
    const settings = '/api/accounts/currency-exchange-settings/currency-exchange-settings_default';
    const query = `query ($at: DateTime, $id: ID!) {
      past: currencyExchangeSettings(asOf: $at) { id accessKey }
      again: node(id: $id) { id ... on CurrencyExchangeSettings { accessKey } }
      now: currencyExchangeSettings { id accessKey version } }`;
    const found = async (at: string, id: string) => (await gateway.graphql(query, { at, id })).body.data;
    await gateway.rest('PATCH', settings, { access_key: null });
    const bare = (await instant()).toISOString();
    await gateway.rest('PATCH', settings, { access_key: 'the first secret' });
    const at = (await instant()).toISOString();
    const { now } = await found(at, 'none_0');
    const state = { id: `${now.id}@${now.version}`, accessKey: '***' };
    expect(await found(at, state.id)).toEqual({
      now: { ...now, accessKey: 'the first secret' },
      past: state,
      again: state,
    });
    await gateway.rest('PATCH', settings, { access_key: 'the second secret' });
    expect(await found(at, state.id)).toMatchObject({
      now: { accessKey: 'the second secret' },
      past: state,
      again: state,
    });
    expect((await found(bare, state.id)).past).toMatchObject({ accessKey: null });
    expect((await found('2020-01-01', state.id)).past).toBeNull();
  });

  test('a change between its two reads is not seen', async () => {
    const { id, items } = await createRepair(gateway, repairInput({ consumedItems: 2 }));
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'a' });
    const at = await instant();
    const then = await asOf(id, at);
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'b' });
    let changes = 0;
    const remaining = [...items];
    between = async () => {
      between = undefined;
      changes++;
      await gateway.rest('PATCH', `${path}/${id}`, { asset: `c${changes}` });
      const line = remaining.pop();
      if (line) await gateway.rest('DELETE', `/api/assets/asset-repair-consumed-item/${line}`);
      else await gateway.rest('DELETE', `${path}/${id}`);
    };
    const again = between;
    for (let round = 1; round <= 4; round++) {
      expect(await asOf(id, at)).toEqual(then);
      expect(changes).toBe(round === 4 ? 4 : round);
      between = again;
    }
    between = undefined;
  });

  test('a key needs the scope of the record, and learns nothing else', async () => {
    const { id } = await createRepair(gateway);
    const at = await instant();
    for (const scope of ['assets:write', 'crm:read']) {
      const caller = await callerWith(gateway, scope);
      const answer = await caller.graphql(
        'query ($id: ID!, $at: DateTime) { assetRepair(id: $id, asOf: $at) { id } other: assetRepair(id: "asset-repair_0", asOf: $at) { id } }',
        { id, at },
      );
      expect(errorsOf(answer)).toEqual(['FORBIDDEN assetRepair', 'FORBIDDEN other']);
    }
  });

  test('it costs a thousand, and more changes than can be undone are refused', async () => {
    const { id } = await createRepair(gateway);
    const at = await instant();
    const aliases = Array.from({ length: 100 }, (_, place) => `a${place}: assetRepair(id: $id, asOf: $at) { id }`);
    const many = `query ($id: ID!, $at: DateTime) { ${aliases.join(' ')} }`;
    expect((await gateway.graphql(many, { id, at })).body.errors[0].extensions).toMatchObject({ measure: 'cost' });
    const fewer = `query ($id: ID!, $at: DateTime) { ${aliases.slice(0, 99).join(' ')} }`;
    expect((await gateway.graphql(fewer, { id, at })).body.data.a98).toEqual({ id: `${id}@1` });
    // Entries as 20,000 changes of the document would have written them.
    const numbers =
      database === 'sqlite'
        ? 'WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20002) SELECT i FROM n'
        : 'SELECT generate_series(2, 20002) AS i';
    const later = database === 'sqlite' ? `strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now')` : `now() AT TIME ZONE 'UTC'`;
    await gateway.database.client.$executeRawUnsafe(`INSERT INTO "JournalEntry"
      ("at", "action", "model", "recordId", "documentModel", "documentId", "revision", "version", "keyId", "keyName", "requestId", "changes")
      SELECT ${later}, 'update', 'AssetRepair', '${id}', 'AssetRepair', '${id}', i, i, 'k', 'k', 'r', '{}' FROM (${numbers}) AS numbers`);
    await gateway.database.client.$executeRawUnsafe(
      `UPDATE "AssetRepair" SET "version" = 20002, "updatedAt" = ${later} WHERE "id" = '${id}'`,
    );
    const { body } = await ask(id, at);
    expect(body.errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', measure: 'changes', limit: 20_000 });
  });

  test('conditions and orders of its lines take no more than a request may compute', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 1_000 }));
    const at = await instant();
    const leaves = Array.from({ length: 20 }, (_, place) => `{ itemCode: { eq: "x${place}" } }`);
    const among = `where: { assetRepair: { consumedItems: { some: { or: [${leaves.join(' ')}] } } } }`;
    const sorted =
      'consumedItems(limit: 1000) { assetRepair { consumedItems(limit: 1, orderBy: [{ field: ITEM_CODE }]) { id } } }';
    for (const selected of [`consumedItems(${among}, limit: 10) { id }`, sorted]) {
      const { body } = await ask(id, at, selected);
      expect(body.errors?.[0].extensions, `${selected} ${JSON.stringify(body).slice(0, 300)}`).toMatchObject({
        code: 'QUERY_TOO_COMPLEX',
        measure: 'comparisons',
      });
    }
    const plain =
      'consumedItems(where: { itemCode: { startsWith: "item 1" } }, orderBy: [{ field: ITEM_CODE }]) { idx }';
    expect((await asOf(id, at, plain)).consumedItems).toHaveLength(112);
  });

  test('all records of a request share the bytes that are undone', async () => {
    const { id } = await createRepair(gateway);
    const at = await instant();
    for (const text of ['w', 'x', 'y', 'z']) {
      await gateway.rest('PATCH', `${path}/${id}`, { description: text.repeat(900_000) });
    }
    expect(await asOf(id, at, 'description')).toEqual({ description: null });
    const twice =
      'query ($id: ID!, $at: DateTime) { a: assetRepair(id: $id, asOf: $at) { id } b: assetRepair(id: $id, asOf: $at) { version } }';
    const { body } = await gateway.graphql(twice, { id, at });
    // The order of the two reads is not specified.
    expect(Object.values(body.data).filter((each) => each === null)).toHaveLength(1);
    expect(body.errors[0].extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX', measure: 'changes' });
  });

  test('a document that is larger than any answer is refused before it is read', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 20 }));
    const at = await instant();
    const text = database === 'sqlite' ? 'hex(zeroblob(300000))' : "repeat('x', 600000)";
    await gateway.database.client.$executeRawUnsafe(
      `UPDATE "AssetRepairConsumedItem" SET "itemCode" = ${text} WHERE "assetRepairId" = '${id}'`,
    );
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'mill' });
    const env = { DATABASE_URL: gateway.config.databaseUrl, ANSWER_LIMIT: '1' };
    const small = await startGateway({ database, env });
    const { body } = await ask(id, at, 'consumedItems { id }', small);
    expect(body.errors[0].extensions).toMatchObject({ reason: 'answer_too_large' });
    const read = small.statements.filter(
      (sql) => /json|row_to_json/.test(sql) && sql.includes('"AssetRepairConsumedItem"'),
    );
    expect(read).toEqual([]);
    expect((await ask(id, at, 'asset', small)).body.data.assetRepair).toEqual({ asset: 'lathe' });
    await small.close();
  });

  test('an instant that the journal no longer covers is refused, with the earliest one that it covers', async () => {
    const { id } = await createRepair(gateway);
    const created = await instant();
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'mill' });
    const at = await instant();
    const then = await asOf(id, at);
    const { last } = await gateway.journal.continuationOf(0);
    await gateway.rest('PATCH', `${path}/${id}`, { asset: 'saw' });
    const now = Date.now() + 10 * 24 * 60 * 60 * 1000;
    const sweep = (heldAt: number) =>
      sweepJournal(gateway.database, { ...gateway.journal, heldAt: heldBy(() => heldAt) }, 1, { now });
    await sweep(last);
    expect(await asOf(id, at)).toEqual(then);
    const { body } = await ask(id, created);
    expect(body.errors[0].extensions).toMatchObject({ code: 'HISTORY_INCOMPLETE', knownFrom: then.updatedAt });
    await gateway.rest('DELETE', `${path}/${id}`);
    expect(await asOf(id, at)).toEqual(then);
    await sweep(Number.MAX_SAFE_INTEGER);
    expect(errorsOf(await ask(id, at))).toEqual(['HISTORY_INCOMPLETE assetRepair']);
  });

  test('changes that were made without a journal are noticed', async () => {
    const env = { DATABASE_URL: gateway.config.databaseUrl };
    const start = (journal: string) => startGateway({ database, env: { ...env, JOURNAL: journal } });
    const changed = await createRepair(gateway);
    const gone = await createRepair(gateway);
    const same = await createRepair(gateway);
    const at = await instant();
    await abandonJournal(gateway.database);
    const without = await start('false');
    await without.rest('PATCH', `${path}/${changed.id}`, { asset: 'unseen' });
    await without.rest('DELETE', `${path}/${gone.id}`);
    const unseen = await createRepair(without);
    await instant();
    for (const on of [without, await start('true')]) {
      expect(errorsOf(await ask(changed.id, at, record, on))).toEqual(['HISTORY_INCOMPLETE assetRepair']);
      expect(errorsOf(await ask(gone.id, at, record, on))).toEqual(['HISTORY_INCOMPLETE assetRepair']);
      expect((await ask(same.id, at, record, on)).body.data.assetRepair).toMatchObject({ version: 1 });
      expect((await ask(unseen.id, at, record, on)).body).toEqual({ data: { assetRepair: null } });
      expect((await ask(changed.id, new Date(), record, on)).body.data.assetRepair.version).toBeGreaterThan(1);
      await on.rest('PATCH', `${path}/${changed.id}`, { asset: `after ${on === without}` });
      if (on !== without) await on.close();
    }
    await without.close();
  });
});
