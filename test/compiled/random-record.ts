/** Inputs of records with odd values, and the compared fields of the new records. */
import fc from 'fast-check';
import { isFromPlace } from '../../src/graphql/inputs/inputs.js';
import type { Field } from '../../src/model/field.js';
import type { Resource } from '../../src/model/resource.js';
import type { TestGateway } from '../support/gateway.js';
import { oddNumbers, oddTexts } from './odd-values.js';

/** All fields of a record and its lines, except ids. */
export function selection({ fields, lines, documentLike }: Resource): string {
  const own = fields.map(({ name }) => name);
  const nested = lines.map(({ field, resource }) => `${field} { id version ${selection(resource)} }`);
  return ['version', '__typename', ...(documentLike ? ['allowedActions'] : []), ...own, ...nested].join(' ');
}

/** The input of a new record with some lines. */
export function inputOf({ fields, lines }: Resource): fc.Arbitrary<object> {
  const list = (child: Resource) =>
    fc.array(valuesOf(child.fields.filter(({ name }) => !isFromPlace(child, name))), { maxLength: 3 });
  const lists = lines.map(({ field, resource }) => [field, fc.option(list(resource), { nil: undefined })]);
  return fc
    .tuple(valuesOf(fields), fc.record(Object.fromEntries(lists)))
    .map(([own, given]) => JSON.parse(JSON.stringify({ ...own, ...given })));
}

/** The input of a change: any of the fields except the status; null if the field can be cleared. */
export function changeOf({ fields }: Resource): fc.Arbitrary<object> {
  const given = fields.filter(({ name }) => name !== 'status');
  const values = given.map((field) => [field.name, fieldValue(field)]);
  return fc.record(Object.fromEntries(values), { requiredKeys: [] }).map((input) => JSON.parse(JSON.stringify(input)));
}

function valuesOf(fields: readonly Field[]): fc.Arbitrary<object> {
  const given = fields.filter(({ name }) => name !== 'status');
  return fc.record(Object.fromEntries(given.map((field) => [field.name, fieldValue(field)])));
}

function fieldValue({ type, required, name }: Field): fc.Arbitrary<unknown> {
  const isReference = name.endsWith('Id');
  const values: Record<Field['type'], fc.Arbitrary<unknown>> = {
    String: isReference ? fc.constant('somebody_else') : fc.constantFrom(...oddTexts),
    Float: fc.constantFrom(...oddNumbers),
    Int: fc.constantFrom(0, -1, 2 ** 31 - 1, -(2 ** 31)),
    Boolean: fc.boolean(),
  };
  return required ? values[type] : fc.option(fc.option(values[type], { nil: null }), { nil: undefined });
}

/** The stored rows of a record and its lines, with every column. */
export async function stored(gateway: TestGateway, resource: Resource, id: string): Promise<unknown[]> {
  const { client, provider } = gateway.database;
  const columns = ({ model, kind }: Resource, column: string) => {
    const [mark, order] = [provider === 'sqlite' ? '?' : '$1', kind === 'child' ? '"idx"' : '"id"'];
    const text = `SELECT * FROM "${model}" WHERE "${column}" = ${mark} ORDER BY ${order}`;
    return client.$queryRawUnsafe(text, id);
  };
  const rows = [await columns(resource, 'id')];
  for (const { resource: child, reference } of resource.lines) rows.push(await columns(child, reference));
  return rows;
}

/** Without the values that differ between two otherwise equal records or answers. */
export function withoutIds(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner) => (/^(id|createdAt|updatedAt|requestId)$|Id$/.test(key) ? undefined : inner)),
  );
}

/** Statements that Prisma wrote: it names the schema. */
export const ofPrisma = (statements: readonly string[]): string[] =>
  statements.filter((sql) => /`main`|"public"/.test(sql) && !sql.includes('ApiKey'));
