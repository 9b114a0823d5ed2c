/**
 * Observers of every type. What they are told is compared with the difference between the stored rows before and after: all
 * changes, with the old and new values, and no other ones.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rows } from '../../src/common/work.js';
import type { Change, ChangeAction } from '../../src/model/change.js';
import type { Resource } from '../../src/model/resource.js';
import { providers, shareOf } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import {
  type Call,
  changes,
  type Made,
  make,
  mutation,
  other,
  restBody,
  saving,
  send,
  typesOfEachForm,
} from './writes-of-types.js';

type Values = Record<string, unknown>;

/** What a change says, without who made it and when. */
const briefly = ({ resource, id, action, before, after, version, documentId }: Told): Told => {
  const place = (values: Values | undefined) => (action === 'move' ? { idx: values?.idx } : values);
  return { resource, id, action, before: place(before), after: place(after), version, documentId };
};

type Told = Omit<Change, 'by' | 'at'>;

/** The other kinds of write. `cancel` follows `submit`, of the same document. */
const others: Record<string, (made: Made) => Call | undefined> = {
  create: ({ resource, values, lists }) => {
    if (resource.kind === 'singleton') return undefined;
    const { idx, ...own } = values;
    const lines = lists.map(({ lines: { field }, rows: held }) => [
      field,
      held.map((row) =>
        Object.fromEntries(Object.entries(row.values).filter(([name]) => !/^(idx|parent.*|.*Id)$/.test(name))),
      ),
    ]);
    const input = { ...own, ...Object.fromEntries(lines) };
    return mutation(`create${resource.model}`, 'record { id }', { input: [`Create${resource.model}Input!`, input] });
  },
  'create in front': ({ resource, values }) =>
    resource.kind === 'child'
      ? mutation(`create${resource.model}`, 'record { id }', {
          input: [`Create${resource.model}Input!`, { ...values, idx: 1 }],
        })
      : undefined,
  createMany: ({ resource, values }) =>
    resource.kind === 'resource'
      ? mutation(`createMany${resource.plural}`, 'records { id }', {
          inputs: [`[Create${resource.model}Input!]!`, [values, { ...values, ...other({ resource, values }) }]],
        })
      : undefined,
  'save without lines': (made) =>
    made.resource.kind !== 'child' && made.lists.length > 0
      ? saving(made, Object.fromEntries(made.lists.map(({ lines: { field } }) => [field, []])))
      : undefined,
  submit: ({ resource, id }) => one(resource, 'submit', id),
  cancel: ({ resource, id }) => one(resource, 'cancel', id),
  POST: ({ resource, values }) =>
    resource.kind === 'singleton'
      ? undefined
      : { method: 'POST', path: resource.base, body: restBody(resource, values) },
  DELETE: ({ resource, id }) =>
    resource.kind === 'singleton' ? undefined : { method: 'DELETE', path: `${resource.base}/${id}` },
  delete: ({ resource, id }) =>
    resource.kind === 'singleton' ? undefined : mutation(`delete${resource.model}`, 'deletedId', { id: ['ID!', id] }),
};

const one = ({ documentLike, model }: Resource, action: string, id: string) =>
  documentLike ? mutation(`${action}${model}`, 'record { id }', { id: ['ID!', id] }) : undefined;

describe.each(providers.flatMap((database) => [true, false].map((compiled) => [database, compiled] as const)))(
  'on %s, compiled: %s',
  (database, compiled) => {
    let gateway: TestGateway;
    let told: Told[] = [];
    let fails = false;
    beforeAll(async () => {
      const onChange = [
        function* (seen: readonly Change[]) {
          told.push(...seen);
          const place = database === 'sqlite' ? '?' : '$1';
          for (const { id } of seen) yield* rows(`INSERT INTO "told" ("entry") VALUES (${place})`, [id]);
          if (fails) throw new Error('The observer fails');
        },
      ];
      gateway = await startGateway({ database, compiled, onChange });
      await gateway.database.client.$executeRawUnsafe('CREATE TABLE "told" ("entry" TEXT)');
    });
    afterAll(() => gateway.close());
    beforeEach(() => {
      fails = false;
    });

    /** Every stored row of the type, of its parent and of its lines, with the version; by id. */
    async function stored(resource: Resource): Promise<Map<string, { of: Resource; version: number; values: Values }>> {
      const [parent] = resource.parents;
      const root = parent?.resource ?? resource;
      const found = new Map();
      for (const of of [root, ...root.lines.map((lines) => lines.resource)]) {
        const each = await gateway.database.client.$queryRawUnsafe<Values[]>(`SELECT * FROM "${of.model}"`);
        for (const row of each) {
          const values = of.fields.map(({ name, type }) => [name, plainValue(type, row[name])]);
          found.set(String(row.id), { of, version: Number(row.version), values: Object.fromEntries(values) });
        }
      }
      return found;
    }

    const entries = async () => {
      const query = 'SELECT "entry" FROM "told" ORDER BY "entry"';
      const found = await gateway.database.client.$queryRawUnsafe<{ entry: string }[]>(query);
      return found.map(({ entry }) => entry);
    };

    /** The changes that the rows show. */
    function differences(before: Awaited<ReturnType<typeof stored>>, after: typeof before): Told[] {
      return [...new Set([...before.keys(), ...after.keys()])].flatMap((id): Told[] => {
        const [old, now] = [before.get(id), after.get(id)];
        const row = now ?? old ?? expect.fail('no row');
        const names = row.of.fields.map(({ name }) => name).filter((name) => old?.values[name] !== now?.values[name]);
        if (names.length === 0) return [];
        const action = old && now ? actionOf(row.of, names, now.values) : old ? 'delete' : 'create';
        const documentId = row.of.kind === 'child' ? String(row.values[row.of.scope ?? '']) : id;
        return [
          { resource: row.of, id, action, before: old?.values, after: now?.values, version: row.version, documentId },
        ];
      });
    }

    test.each(shareOf(database, typesOfEachForm).map((each) => [each.model, each] as const))(
      '%s',
      async (_, resource) => {
        const writes = [
          ...Object.entries(changes).map(
            ([kind, write]) => [kind, (made: Made) => write(made, { isOther: true })] as const,
          ),
          ...Object.entries(others),
        ];
        let made = await make(gateway, resource);
        for (const [kind, write] of writes) {
          const call = write(made);
          if (!call) continue;
          const before = await stored(resource);
          // An observer that fails undoes the change, with what it has written itself.
          fails = true;
          await gateway.database.client.$executeRawUnsafe('DELETE FROM "told"');
          expect({ kind, ...(await outcome(call)) }).toEqual({ kind, isRefused: true });
          expect([await stored(resource), await entries()]).toEqual([before, []]);
          fails = false;
          told = [];
          expect({ kind, ...(await outcome(call)) }).toEqual({ kind, isRefused: false });
          const expected = differences(before, await stored(resource));
          expect(expected, kind).not.toEqual([]);
          const byId = (list: Told[]) => list.map(briefly).sort((left, right) => (left.id < right.id ? -1 : 1));
          expect({ kind, told: byId(told) }).toEqual({ kind, told: byId(expected) });
          expect(await entries()).toEqual(told.map(({ id }) => id).sort());
          if (kind !== 'submit') made = await make(gateway, resource);
        }
      },
    );

    test.each(shareOf(database, typesOfEachForm).map((each) => [each.model, each] as const))(
      'nothing of a %s that is refused or tried only',
      async (_, resource) => {
        const made = await make(gateway, resource);
        told = [];
        const version = (made.parent?.version ?? 0) + made.version + 1;
        const calls = Object.entries(changes)
          .filter(([kind]) => !kind.startsWith('reorder'))
          .flatMap(([, write]) => write(made, { isOther: true, version }) ?? [])
          .map((call) => [call, true] as const);
        const dry = resource.kind === 'child' ? [] : [[saving(made, other(made), undefined, true), false] as const];
        for (const [call, isRefused] of [...calls, ...dry]) expect(await outcome(call)).toEqual({ isRefused });
        expect(told).toEqual([]);
      },
    );

    async function outcome(call: Call) {
      const { status, body } = await send(gateway, call);
      return { isRefused: status >= 400 || body.errors !== undefined };
    }
  },
);

function actionOf({ documentLike, kind }: Resource, names: string[], { status }: Values): ChangeAction {
  if (documentLike && names.includes('status')) return status === 'submitted' ? 'submit' : 'cancel';
  return kind === 'child' && names.join() === 'idx' ? 'move' : 'update';
}

const plainValue = (type: string, value: unknown): unknown => {
  if (value === null || value === undefined) return null;
  if (type === 'Boolean') return value === true || Number(value) === 1;
  return type === 'String' ? value : Number(value);
};
