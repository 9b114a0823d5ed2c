/** The GraphQL type of each record: its fields, children and parents. */
import type { FieldRef } from '@pothos/core';
import { displayTitle, displayTitleColumns } from '../../model/display-title.js';
import { largestPageSize } from '../../model/limits.js';
import type { Lines, Parent, Resource } from '../../model/resource.js';
import { largestInt32 } from '../../model/storable.js';
import { whereOf } from '../../records/filter.js';
import { byPosition, prismaOrderOf } from '../../records/keyset.js';
import { allowedActions } from '../../records/lifecycle.js';
import { keysOf } from '../../records/sort.js';
import { answeredBySql, type ColumnType } from '../answered-by-sql.js';
import type { Builder, SchemaTypes } from '../builder.js';
import { constrained } from '../inputs/constraint.js';
import { listArguments } from '../inputs/list-arguments.js';
import { perBuilder, perResource } from '../per-builder.js';
import { isReference } from './is-reference.js';
import { actionState, actionsOf } from './record-actions.js';
import { type RecordFields, type RecordType, recordType } from './record-type.js';

export const node = perBuilder((builder) =>
  builder.interfaceRef<{ id: string }>('Node').implement({
    description: 'Anything with an id. Ids are unique among all records and the same on the REST surface.',
    fields: (t) => ({ id: t.exposeID('id', { description: 'Unique among all records: `<type>_<26 characters>`.' }) }),
  }),
);

const documentAction = perBuilder((builder) =>
  builder.enumType('DocumentAction', {
    description: 'What moves a document from one state to the next.',
    values: {
      submit: { description: 'From draft to submitted.' },
      cancel: { description: 'From submitted to cancelled.' },
    },
  }),
);

/** The object type of a resource. */
export const typeOf = perResource(objectType);

/** Creates all types before the schema is built, because they refer to each other. */
export function addRecordTypes(builder: Builder, resources: readonly Resource[]): void {
  for (const resource of resources) typeOf(builder, resource);
}

type Fields = Record<string, FieldRef<SchemaTypes>>;

function objectType(builder: Builder, resource: Resource): RecordType {
  return recordType(builder, resource, [node(builder)], (t) => ({
    id: column(t, 'id', 'ID'),
    ...Object.fromEntries(
      resource.fields.map(({ name, type, nullable }) => [
        name,
        column(t, name, isReference(resource, name) ? 'ID' : type, nullable),
      ]),
    ),
    ...(resource.timestamps ? timestamps(t) : {}),
    version: column(t, 'version', 'Int'),
    ...(resource.documentLike ? documentFields(builder, t, resource) : {}),
    actions: t.field({
      type: [actionState(builder)],
      description: 'What can be done with this record as it is now, and why the rest cannot.',
      select: resource.documentLike ? { status: true } : { id: true },
      resolve: ({ status }, _, { identity }) => actionsOf(resource, status, identity),
    }),
    ...Object.fromEntries(resource.parents.map((parent) => [parent.field, parentField(t, parent)])),
    ...Object.fromEntries(resource.lines.map((lines) => [lines.field, linesField(builder, t, lines)])),
  }));
}

/** A column with its stored value. */
const column = (t: RecordFields, name: string, type: ColumnType, nullable = false): FieldRef<SchemaTypes> =>
  t.expose(name, { type, nullable, extensions: answeredBySql({ kind: 'column', column: name, type, nullable }) });

const timestamps = (t: RecordFields): Fields => ({
  createdAt: column(t, 'createdAt', 'DateTime'),
  updatedAt: column(t, 'updatedAt', 'DateTime'),
});

const documentFields = (builder: Builder, t: RecordFields, resource: Resource): Fields => ({
  displayTitle: t.field({
    type: 'String',
    description:
      'What to call this document on a screen: its title with `{field}` filled in, or its id where it has none.',
    select: displayTitleColumns(resource),
    resolve: displayTitle,
  }),
  allowedActions: t.field({
    type: [documentAction(builder)],
    description: 'What moves this document on from its present state; empty once it is cancelled.',
    select: { status: true },
    extensions: answeredBySql({ kind: 'allowedActions' }),
    resolve: ({ status }) => allowedActions(status),
  }),
});

const parentField = (t: RecordFields, parent: Parent) => {
  const { resource, field, link } = parent;
  return t.relation(field, {
    nullable: link,
    extensions: answeredBySql({ kind: 'parent', parent }),
    description: link
      ? `The ${resource.title} this line belongs to; null where \`parentId\` names no ${resource.title}.`
      : `The ${resource.title} this line belongs to.`,
  });
};

const linesField = (builder: Builder, t: RecordFields, lines: Lines) => {
  const { resource, field } = lines;
  return t.relation(field, {
    extensions: answeredBySql({ kind: 'lines', lines }, ['where', 'orderBy', 'limit', 'offset']),
    args: { ...listArguments(builder, resource), ...sliceArguments(builder) },
    query: ({ where, orderBy, limit, offset }) => {
      const taken = limit ?? undefined;
      const skipped = offset ?? 0;
      const keys = keysOf(resource, orderBy, byPosition);
      const sorted = { orderBy: prismaOrderOf(keys, false) };
      if (!where && keys === byPosition) return { ...sorted, where: placesOf(taken, skipped) };
      return { ...sorted, ...(where ? { where: whereOf(resource, where) } : {}), take: taken, skip: skipped };
    },
  });
};

/**
 * A slice of the lines as a range of `idx`: lines are numbered 1…n. With `take` and `skip`, Prisma would read all lines
 * of every parent and cut the slices in memory.
 */
function placesOf(taken: number | undefined, skipped: number): object {
  if (taken === undefined) return skipped === 0 ? {} : { idx: { gt: skipped } };
  return { idx: { gt: skipped, lte: Math.min(skipped + taken, largestInt32) } };
}

const sliceArguments = perBuilder((builder) =>
  builder.args((t) => ({
    limit: t.int({
      description: `At most this many, 1 to ${largestPageSize}. All of them where it is left out.`,
      ...constrained({ minimum: 1, maximum: largestPageSize }),
    }),
    offset: t.int({ description: 'How many to skip first, 0 or more.', ...constrained({ minimum: 0 }) }),
  })),
);
