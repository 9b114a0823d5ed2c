/** Streams of callers with roles: what they see, and what has left their sight; nothing else, and no hidden field. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { type StreamedEvent, watch } from '../features/live/watch.js';
import { providers } from '../support/database.js';
import type { Caller } from './keys.js';
import { type Ruled, repairOf, startRuled } from './rules.js';

const told = 'position notice action type recordId version fields deletedId leftId';

/** The events until that of the record `last`, which is not among them. */
async function eventsTo(stream: ReturnType<typeof watch>, last: string): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  for (;;) {
    const event = await stream.next();
    if (event.recordId === last || event.deletedId === last) return events;
    if (!event.notice) events.push(event);
  }
}

/** What happens to some records; the last one is of ACME, and ends the test. */
async function story(gateway: Ruled) {
  const mine = await repairOf(gateway, 'ACME');
  const theirs = await repairOf(gateway, 'Other');
  await theirs.change({ asset: 'mill' });
  await theirs.changeLine({ warehouse: 'Hidden' });
  await mine.change({ actionsPerformed: 'more oil' });
  await mine.changeLine({ serialNo: 'S-2' });
  await mine.change({ company: 'Other', description: 'gone' });
  await mine.change({ asset: 'saw' });
  await theirs.change({ company: 'ACME' });
  await theirs.remove();
  await mine.remove();
  const last = await repairOf(gateway, 'ACME');
  return { mine, theirs, last };
}

const shown = (events: StreamedEvent[]) =>
  events.map(({ action, type, recordId, version, fields, deletedId, leftId }) => [
    // A deletion has all fields.
    ...[action, type, recordId, version, Array.isArray(fields) && action !== 'DELETE' ? fields.sort().join() : ''],
    ...[deletedId ? 'deleted' : '', leftId ? 'left' : ''].filter(Boolean),
  ]);

describe.each(providers)('on %s', (database) => {
  const stream = (gateway: Ruled, caller: Pick<Caller, 'secret'>, query: string, variables = {}) => {
    const events = watch({ url: gateway.url, key: caller.secret }, query, variables);
    onTestFinished(events.stop);
    return events;
  };

  test('of one type, live and later', async () => {
    const gateway = await startRuled(database);
    const [reader, plain] = [await gateway.caller('reader'), await gateway.caller('plain')];
    const query = `subscription ($after: String) { assetRepairChanged(after: $after) { ${told} record { company asset actionsPerformed consumedItems { warehouse serialNo } } } }`;
    const events = stream(gateway, reader, query);
    const others = stream(gateway, plain, query);
    const { position } = await events.next();
    await others.next();
    const { mine, theirs, last } = await story(gateway);
    const found = await eventsTo(events, last.id);
    const all = shown(found);
    // While it was read live, a record may have gone on already: the read follows the change by a moment.
    const type = 'ASSET_REPAIR';
    const sure = [
      ['UPDATE', type, mine.id, 4, '', 'left'],
      ['UPDATE', type, theirs.id, 4, 'company'],
      ['DELETE', type, theirs.id, 4, '', 'deleted'],
    ];
    for (const each of sure) expect(all).toContainEqual(each);
    expect(JSON.stringify(found)).not.toContain('actionsPerformed"]');
    const possible = [
      ...sure,
      ['CREATE', type, mine.id, 1, fieldsOfCreation(all, mine.id)],
      ['UPDATE', type, mine.id, 2, ''],
      ['UPDATE', type, mine.id, 3, 'consumedItems'],
    ];
    for (const event of all) expect(possible).toContainEqual(event);
    for (const { record } of found) {
      if (record) expect(record).toMatchObject({ company: 'ACME', actionsPerformed: null });
    }
    // Read afterwards, what is gone or has left is told of by its end alone.
    const later = shown(await eventsTo(stream(gateway, reader, query, { after: position }), last.id));
    expect(later).toEqual(sure);
    // Another role shows another part of the fields.
    const ofOthers = shown(await eventsTo(stream(gateway, plain, query, { after: position }), last.id));
    expect(ofOthers[0]).toEqual(['UPDATE', type, mine.id, 4, '', 'left']);
  });

  test('of all types, and by REST', async () => {
    const gateway = await startRuled(database);
    const reader = await gateway.caller('reader');
    const query = `subscription ($after: String) { changes(after: $after) { ${told} } }`;
    const { position } = await stream(gateway, reader, query).next();
    const { mine, theirs, last } = await story(gateway);
    const found = shown(await eventsTo(stream(gateway, reader, query, { after: position }), last.id));
    const [type, line] = ['ASSET_REPAIR', 'ASSET_REPAIR_CONSUMED_ITEM'];
    expect(found.sort()).toEqual(
      [
        ['UPDATE', type, mine.id, 4, '', 'left'],
        ['UPDATE', type, theirs.id, 4, 'company'],
        ['DELETE', type, theirs.id, 4, '', 'deleted'],
        ['DELETE', line, theirs.line, 2, '', 'deleted'],
      ].sort(),
    );
    const abort = new AbortController();
    onTestFinished(() => abort.abort());
    const answer = await fetch(`${gateway.url}/api/events?after=${position}`, {
      headers: { authorization: `Bearer ${reader.secret}` },
      signal: abort.signal,
    });
    let text = '';
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes(last.id)) break;
    }
    expect(text.split('event: change').length - 1).toBeLessThanOrEqual(6);
    expect(text).toContain(mine.id);
    expect(text).not.toContain(mine.line);
    expect(text).not.toContain('actions_performed');
  });

  test('lines follow their document: it is told of when it leaves', async () => {
    const gateway = await startRuled(database);
    const reader = await gateway.caller('reader');
    const query = `subscription { assetRepairConsumedItemChanged { ${told} record { serialNo warehouse } } }`;
    const events = stream(gateway, reader, query);
    await events.next();
    const repair = await repairOf(gateway, 'ACME');
    expect(await events.next()).toMatchObject({
      recordId: repair.line,
      record: { serialNo: null, warehouse: 'Stores' },
    });
    await repair.change({ company: 'Other' });
    expect(await events.next()).toMatchObject({ type: 'ASSET_REPAIR', leftId: repair.id, record: null });
    await repair.changeLine({ warehouse: 'Hidden' });
    const last = await repairOf(gateway, 'ACME');
    expect(await events.next()).toMatchObject({ recordId: last.line });
  });

  test('streams with different rights share the look at what was seen', async () => {
    const gateway = await startRuled(database);
    const streams = [];
    for (const company of ['A', 'B', 'C', 'D', 'E', 'ACME']) {
      const caller = await gateway.caller('reader', company);
      const events = stream(gateway, caller, 'subscription { assetRepairChanged { position recordId notice } }');
      await events.next();
      streams.push(events);
    }
    const { id } = await repairOf(gateway, 'ACME');
    expect(await streams.at(-1)?.next()).toMatchObject({ recordId: id });
    const looks = gateway.statements.filter((sql) => sql.includes('AS "values", 9007199254740991'));
    expect(looks.length).toBeGreaterThan(0);
    expect(looks.length).toBeLessThan(streams.length);
  });

  test('with a filter: a record that never fulfilled it, or never was seen, does not leave', async () => {
    const gateway = await startRuled(database);
    const reader = await gateway.caller('reader');
    const query = `subscription { assetRepairChanged(where: { asset: { eq: "lathe" } }) { ${told} } }`;
    const events = stream(gateway, reader, query);
    await events.next();
    const other = await repairOf(gateway, 'Other');
    await other.change({ asset: 'mill', company: 'ACME' });
    const lathe = await repairOf(gateway, 'ACME');
    expect(await events.next()).toMatchObject({ recordId: lathe.id, leftId: null });
    // It was a mill before it was out of sight, and so was in no list of this filter.
    const mill = await repairOf(gateway, 'ACME', { asset: 'mill' });
    await mill.change({ company: 'Other', asset: 'lathe' });
    // That it was submitted with the same change is out of sight with it.
    await lathe.change({ company: 'Other', status: 'SUBMITTED' });
    expect(await events.next()).toMatchObject({ recordId: lathe.id, leftId: lathe.id, action: 'UPDATE', fields: [] });
    const refused = await reader.graphql(
      'subscription { assetRepairChanged(where: { actionsPerformed: { eq: "secretly oiled" } }) { position } }',
      {},
      { accept: 'text/event-stream' },
    );
    expect(refused.text).toContain('`actionsPerformed` of AssetRepair is hidden from you');
  });
});

const fieldsOfCreation = (events: unknown[][], id: string) => {
  const fields = events.find(([action, , recordId]) => action === 'CREATE' && recordId === id)?.[4];
  expect(fields ?? '').not.toContain('actionsPerformed');
  return fields;
};
