/**
 * Every write of a document and its lines is stopped before each of its statements while another write happens. The
 * answers and records must be the same as if one write came after the other. Only on PostgreSQL, where others can write
 * meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Procedure } from '../../src/common/work.js';
import type { OpenedDatabase } from '../../src/database/open-database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { isChosen, thorough } from '../support/thorough.js';

const line = 'idx itemCode version assetRepair { version consumedItems { idx itemCode version } }';
const record = 'asset status version consumedItems { idx itemCode version }';
const newLine = (idx?: number) =>
  `createAssetRepairConsumedItem(input: { assetRepairId: $id, ${idx ? `idx: ${idx},` : ''} itemCode: "new", warehouse: "W" })`;
const updateLine = (which: string, input: string) =>
  `updateAssetRepairConsumedItem(id: $${which}, input: { ${input} })`;
const reorder = (...ids: string[]) =>
  `reorderAssetRepairConsumedItems(parentId: $id, ids: [${ids.map((id) => `$${id}`).join()}])`;
const save = (input: string) => `saveAssetRepair(id: $id, input: { ${input} }) { record { ${record} } }`;

/** `$id` is a repair with the lines `$a`, `$b` and `$c`. */
const writes: Record<string, string> = {
  'create a line': `${newLine()} { record { ${line} } }`,
  'create a line at 2': `${newLine(2)} { record { ${line} } }`,
  'move a line down': `${updateLine('a', 'idx: 3')} { record { ${line} } }`,
  'move a line up': `${updateLine('c', 'idx: 1')} { record { ${line} } }`,
  'move a line to where it is': `${updateLine('b', 'idx: 2')} { record { ${line} } }`,
  'update a line': `${updateLine('b', 'itemCode: "other"')} { record { ${line} } }`,
  'update a line with what it has': `${updateLine('b', 'itemCode: "b"')} { record { ${line} } }`,
  'delete a line': 'deleteAssetRepairConsumedItem(id: $b) { deletedId }',
  'put lines in order': `${reorder('c', 'b', 'a')} { ${line} }`,
  'put lines in the order they have': `${reorder('a', 'b', 'c')} { ${line} }`,
  'save a record with its lines': save(
    'asset: "mill", consumedItems: [{ id: $b }, { itemCode: "new", warehouse: "W" }]',
  ),
  'save what is there': save('asset: "lathe", consumedItems: [{ id: $a }, { id: $b }, { id: $c }]'),
  'update a record': `updateAssetRepair(id: $id, input: { asset: "saw" }) { record { ${record} } }`,
  'update a record with what it has': `updateAssetRepair(id: $id, input: { asset: "lathe" }) { record { ${record} } }`,
  'update one of many': `updateManyAssetRepairs(updates: [{ id: $id, input: { asset: "lathe" } }]) { records { ${record} } }`,
  'update a record at the version that another makes': `updateAssetRepair(id: $id, input: { asset: "saw" }, expectedVersion: 2) { record { ${record} } }`,
  'delete a record at the version that another makes': 'deleteAssetRepair(id: $id, expectedVersion: 2) { deletedId }',
  submit: `submitAssetRepair(id: $id) { record { ${record} } }`,
  'delete a record': 'deleteAssetRepair(id: $id) { deletedId }',
};
const isWithoutDifference = ([name]: [string, string]) => /they have|it has|is there|where it is/.test(name);
const changes = Object.entries(writes).filter((write) => !isWithoutDifference(write));

/** The other write: a line is deleted or created, alternately, and one of the others; in a thorough run each of them. */
const meanwhile = (index: number) =>
  changes.filter(
    ([name], place) =>
      thorough || name === ['create a line at 2', 'delete a line'][index % 2] || place === index % changes.length,
  );

/**
 * The resolvers make the same changes; only their reads of the answer differ, and after a change nothing can come in
 * between.
 */
const cases = (compiled: boolean) =>
  Object.entries(writes)
    .filter((write) => thorough || compiled || isWithoutDifference(write))
    .filter((_, index) => isChosen(index, 2));

/** Stops a unit of work before its statement number `stop.before`, once, until the advisory lock of that number is free. */
class Stop {
  before = 0;

  next(): number {
    const { before } = this;
    this.before = 0;
    return before;
  }
}

describe.each([true, false])('on PostgreSQL, compiled: %s', (compiled) => {
  const stop = new Stop();
  let gateway: TestGateway;
  let lock: pg.Client;
  beforeAll(async () => {
    gateway = await startGateway({ database: 'postgresql', compiled, altered: (database) => stopping(database, stop) });
    lock = new pg.Client(gateway.config.databaseUrl);
    await lock.connect();
  });
  afterAll(async () => {
    await lock.end();
    await gateway.close();
  });

  test.each(cases(compiled).map(([name, write], index) => [name, write, index] as const))(
    '%s',
    async (_, write, index) => {
      for (const [name, other] of meanwhile(index)) {
        const first = await fresh();
        const serial = [await outcome(first, await send(first, write), await send(first, other))];
        const second = await fresh();
        const before = await send(second, other);
        serial.push(await outcome(second, await send(second, write), before));
        for (let before = 2; ; before++) {
          const variables = await fresh();
          const made = await bothAtOnce(variables, before, write, other);
          if (!made) break;
          expect(serial, `${name}, before statement ${before}`).toContainEqual(made);
        }
      }
    },
    thorough ? 60_000 : undefined,
  );

  async function fresh(): Promise<Record<string, string>> {
    const { body } = await gateway.graphql(
      `mutation { createAssetRepair(input: { asset: "lathe", failureDate: "2026-01-31", consumedItems: [
        { itemCode: "a", warehouse: "W" }, { itemCode: "b", warehouse: "W" }, { itemCode: "c", warehouse: "W" }
      ] }) { record { id consumedItems { id } } } }`,
    );
    const { id, consumedItems } = body.data.createAssetRepair.record;
    const [a, b, c] = consumedItems.map((item: { id: string }) => item.id);
    return { id, a, b, c };
  }

  async function send(variables: Record<string, string>, mutation: string) {
    const used = Object.keys(variables).filter((name) => new RegExp(`\\$${name}\\b`).test(mutation));
    const { body } = await gateway.graphql(
      `mutation (${used.map((name) => `$${name}: ID!`).join()}) { answer: ${mutation} }`,
      Object.fromEntries(used.map((name) => [name, variables[name]])),
    );
    return body.errors?.[0].extensions.reason ?? body.errors?.[0].extensions.code ?? body.data.answer;
  }

  /** Both answers and the records after them, without ids. */
  async function outcome(variables: Record<string, string>, written: unknown, other: unknown) {
    const { body } = await gateway.graphql(`query ($id: ID!) { assetRepair(id: $id) { ${record} } }`, {
      id: variables.id,
    });
    const names = new Map(Object.entries(variables).map(([name, id]) => [id, name]));
    return JSON.parse(
      JSON.stringify({ written, other, left: body.data.assetRepair }, (_, value) => names.get(value) ?? value),
    );
  }

  /** Undefined if the write has no such statement. */
  async function bothAtOnce(variables: Record<string, string>, before: number, write: string, other: string) {
    await lock.query('SELECT pg_advisory_lock($1)', [before]);
    let isDone = false;
    stop.before = before;
    const writing = send(variables, write).finally(() => {
      isDone = true;
    });
    while (!isDone && (await waiting()) < 1) await sleep(1);
    const isStopped = !isDone;
    if (!isStopped) stop.next();
    let isOtherDone = !isStopped;
    const interrupting = isStopped
      ? send(variables, other).finally(() => {
          isOtherDone = true;
        })
      : undefined;
    // Either the other write succeeds meanwhile, or it waits for a lock of the first one.
    while (!isOtherDone && (await waiting()) < 2) await sleep(1);
    await lock.query('SELECT pg_advisory_unlock($1)', [before]);
    const answers = [await writing, await interrupting];
    return isStopped ? outcome(variables, answers[0], answers[1]) : undefined;
  }

  /** The number of sessions that wait for a lock. */
  async function waiting(): Promise<number> {
    const { rows } = await lock.query(
      `SELECT count(*)::integer AS "count" FROM pg_stat_activity
        WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`,
    );
    return rows[0].count;
  }
});

function stopping(database: OpenedDatabase, stop: Stop): OpenedDatabase {
  return {
    ...database,
    perform: (begin) => {
      const before = stop.next();
      return database.perform(() => (before ? stopped(begin(), before) : begin()));
    },
    transaction: (work) => {
      let left = stop.next();
      const number = left;
      return database.transaction((tx) =>
        work(
          before(tx, async () => {
            if (--left === 0) await tx.$queryRaw`SELECT pg_advisory_xact_lock(${number})::text`;
          }),
        ),
      );
    },
  };
}

/** The same client, where `look` is awaited before each call of the client or of one of its models, also in savepoints. */
function before<Target extends object>(target: Target, look: () => Promise<void>): Target {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === 'object' && value !== null) return before(value, look);
      if (typeof value !== 'function') return value;
      // A savepoint: what is done in it goes through a client of its own.
      if (name === '$transaction') {
        return (work: (inner: object) => unknown) =>
          Reflect.apply(value, target, [(inner: object) => work(before(inner, look))]);
      }
      return async (...given: unknown[]) => {
        await look();
        return Reflect.apply(value, target, given);
      };
    },
  });
}

function* stopped<Result>(work: Procedure<Result>, before: number): Procedure<Result> {
  let number = 1;
  let step = work.next();
  while (!step.done) {
    if (number++ === before) yield { sql: 'SELECT pg_advisory_xact_lock($1)::text', values: [before] };
    step = work.next(yield step.value);
  }
  return step.value;
}
