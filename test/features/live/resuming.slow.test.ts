/** Streams that continue where an earlier one ended, and what the journal no longer holds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openJournal } from '../../../src/change/journal/open-journal.js';
import { openDatabase } from '../../../src/database/open-database.js';
import { createRepair, createRepairs, repairInput, upTo } from '../../graphql/asset-repairs.js';
import { abandonJournal } from '../../journal/abandoned.js';
import { databaseInTurn } from '../../support/database.js';
import { startGateway, type TestGateway } from '../../support/gateway.js';
import { resources } from '../../support/resources.js';
import { type Stream, watch } from './watch.js';

/** The first bytes of a stream. */
async function beginningOf({ url, key }: TestGateway, path: string, init: RequestInit): Promise<string> {
  const end = new AbortController();
  const headers = { ...init.headers, authorization: `Bearer ${key}` };
  const { body } = await fetch(`${url}${path}`, { ...init, headers, signal: end.signal });
  const { value } = (await body?.getReader().read()) ?? {};
  end.abort();
  return new TextDecoder().decode(value);
}

const positions = 'subscription ($after: String) { changes(after: $after) { position notice recordId } }';

describe.each(databaseInTurn(import.meta.filename))('on %s', (database) => {
  let gateway: TestGateway;
  const streams: Stream[] = [];
  const open = (query: string, variables: Record<string, unknown> = {}) => {
    const stream = watch(gateway, query, variables);
    streams.push(stream);
    return stream;
  };
  const take = async (stream: Stream, count: number) => {
    const events = [];
    while (events.length < count) events.push(await stream.next());
    return events;
  };
  beforeAll(async () => {
    gateway = await startGateway({ database });
  });
  afterAll(async () => {
    for (const stream of streams) stream.stop();
    await gateway.close();
  });

  test('a stream that was cut continues behind its position, at any place, without loss and without repetition', async () => {
    const whole = open(positions);
    const start = (await whole.next()).position;
    // More than are read at once.
    await createRepairs(gateway, 36, repairInput({ consumedItems: 5 }));
    const all = await take(whole, 216);
    expect(new Set(all.map(({ position }) => position)).size).toBe(216);
    for (const cut of [0, 1, 100, 201, 215]) {
      const after = cut === 0 ? start : all[cut - 1]?.position;
      const [opened, ...rest] = await take(open(positions, { after }), 217 - cut);
      expect(opened).toMatchObject({ notice: 'OPENED', position: after });
      expect(rest).toEqual(all.slice(cut));
    }
  });

  test('streams that catch up join the current ones, and get changes made meanwhile once', async () => {
    const { position: start } = await open(positions).next();
    // Further behind than a stream that can join the current ones at once.
    await createRepairs(gateway, 110);
    const first = (await gateway.journal.read(start, 20)).entries.map(({ position }) => position);
    const late = upTo(6).map((number) => open(positions, { after: first[3 * number - 1] }));
    await createRepairs(gateway, 40);
    const fresh = open(positions, { after: start });
    const events = (await take(fresh, 151)).slice(1);
    for (const [index, stream] of late.entries()) {
      const seen = 3 * (index + 1);
      expect((await take(stream, 151 - seen)).slice(1)).toEqual(events.slice(seen));
    }
  });

  test('missing changes are reported, and the stream goes on', async () => {
    const { position: start } = await open(positions).next();
    const [id] = await createRepairs(gateway, 5);
    const [gone, swept] = (await gateway.journal.read(start, 5)).entries.map((entry) => entry.position);
    const { position } = await open(positions).next();
    await gateway.database.client.$executeRawUnsafe(`UPDATE "JournalState" SET "swept" = ${swept}`);
    const old = open(positions, { after: gone });
    expect(await old.next()).toMatchObject({ notice: 'TOO_OLD', position, recordId: null });
    const query = JSON.stringify({ query: positions, variables: { after: String(gone) } });
    const json = { 'content-type': 'application/json' };
    const begun = [
      beginningOf(gateway, `/api/events?after=${gone}`, { headers: { accept: 'text/event-stream' } }),
      beginningOf(gateway, '/graphql', {
        method: 'POST',
        body: query,
        headers: { ...json, accept: 'text/event-stream' },
      }),
      beginningOf(gateway, '/graphql', {
        ...{ method: 'POST', body: query },
        headers: { ...json, accept: 'multipart/mixed;subscriptionSpec=1.0, application/json' },
      }),
    ];
    expect(await Promise.all(begun)).toEqual([
      expect.stringMatching(/^retry: 1000\nid: \d+\nevent: too_old\n/),
      expect.stringMatching(/^retry: 1000\nid: \d+\nevent: next\ndata: .*TOO_OLD/),
      expect.stringMatching(/^\r\n--graphql\r\nContent-Type: application\/json\r\n\r\n.*TOO_OLD/),
    ]);
    const held = open(positions, { after: swept });
    expect((await take(held, 4)).map(({ notice }) => notice)).toEqual(['OPENED', null, null, null]);
    await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: 'x' });
    expect(await old.next()).toMatchObject({ notice: null, recordId: id });
    await gateway.database.client.$executeRawUnsafe('UPDATE "JournalState" SET "swept" = 0');
  });

  test('if another process turned the journal off and on again, open streams report that before anything else', async () => {
    const stream = open(positions);
    const { position } = await stream.next();
    const another = await openDatabase({ url: gateway.config.databaseUrl, migrate: true });
    await abandonJournal(another);
    await openJournal(another, resources, false);
    await openJournal(another, resources, true);
    await another.close();
    const [id] = await createRepairs(gateway, 1);
    expect(await stream.next()).toMatchObject({ notice: 'TOO_OLD', recordId: null });
    const [after] = await createRepairs(gateway, 1);
    const told = [await stream.next()];
    if (told[0]?.recordId === id) told.push(await stream.next());
    expect(told.at(-1)).toMatchObject({ notice: null, recordId: after });
    expect(told[0]?.position).toBeGreaterThan(position);
  });

  test('hundreds of changes of one record reach who resumes, one by one', async () => {
    const { id } = await createRepair(gateway);
    const query =
      'subscription ($id: ID!, $after: String) { assetRepairChanged(id: $id, after: $after) { position version record { id } } }';
    const first = open(query, { id });
    const { position: after } = await first.next();
    for (const asset of upTo(220)) await gateway.rest('PATCH', `/api/assets/asset-repair/${id}`, { asset: `${asset}` });
    const versions = (await take(open(query, { id, after }), 221)).slice(1).map(({ version }) => version);
    expect(versions).toEqual(upTo(220).map((number) => number + 1));
  });

  test('a document is deleted by one event, however many lines go with it', async () => {
    const { id } = await createRepair(gateway, repairInput({ consumedItems: 700 }));
    const query =
      'subscription ($id: ID!, $after: String) { assetRepairChanged(id: $id, after: $after) { position action deletedId } }';
    const live = open(query, { id });
    const { position: after } = await live.next();
    await gateway.rest('DELETE', `/api/assets/asset-repair/${id}`);
    const [gone] = await take(live, 1);
    expect(gone).toMatchObject({ action: 'DELETE', deletedId: id });
    const late = await gateway.rest('POST', '/api/assets/asset-repair', { asset: 'x', failure_date: '2026-01-01' });
    const all = open(
      'subscription ($after: String) { assetRepairChanged(after: $after) { position action recordId } }',
      { after },
    );
    expect((await take(all, 3)).slice(1)).toMatchObject([
      { action: 'DELETE', recordId: id, position: gone?.position },
      { action: 'CREATE', recordId: late.body.id },
    ]);
  });

  test('a variable that is left out is not one that is null', async () => {
    const query =
      'subscription ($asset: String) { assetRepairChanged(where: { asset: { eq: $asset } }) { position recordId } }';
    const [any, none] = [open(query), open(query, { asset: 'other' })];
    await any.next();
    await none.next();
    const { id } = await createRepair(gateway);
    expect(await any.next()).toMatchObject({ recordId: id });
  });

  test('a client such as EventSource resumes by Last-Event-ID', async () => {
    const { position } = await open(positions).next();
    const { id } = await createRepair(gateway);
    const resumed = watch(gateway, positions, {}, { 'last-event-id': String(position) });
    streams.push(resumed);
    expect((await take(resumed, 2))[1]).toMatchObject({ recordId: id });
    await expect(watch(gateway, positions, {}, { 'last-event-id': '1 OR 1' }).next()).rejects.toThrow('BAD_USER_INPUT');
    // It repeats its URL, and so the argument with which it began.
    const again = watch(gateway, positions, { after: 0 }, { 'last-event-id': String(position) });
    streams.push(again);
    expect((await take(again, 2))[1]).toMatchObject({ recordId: id });
  });
});
