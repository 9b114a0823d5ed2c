/** The GraphQL type of every record: its fields, its children, its parents. */
import type { FieldRef, InputFieldMap } from '@pothos/core';
import { errors } from '../errors.js';
import { displayTitle, displayTitleColumns } from '../model/display-title.js';
import { largestPageSize } from '../model/limits.js';
import type { Parent, Resource } from '../model/resource.js';
import { resources } from '../model/resource.js';
import { largestInt32 } from '../model/storable.js';
import { byPosition, orderOf } from '../records/keyset.js';
import { allowedActions } from '../records/lifecycle.js';
import { builder, type SchemaTypes } from './builder.js';
import { type RecordFields, type RecordType, recordType } from './record-type.js';

export const node = builder.interfaceRef<{ id: string }>('Node').implement({
  description: 'Anything with an id. Ids are unique among all records and the same on the REST surface.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Unique among all records: `<type>_<26 characters>`.' }) }),
});

export const documentAction = builder.enumType('DocumentAction', {
  description: 'What moves a document from one state to the next.',
  values: {
    submit: { description: 'From draft to submitted.' },
    cancel: { description: 'From submitted to cancelled.' },
  },
});

const types = new Map<Resource, RecordType>(resources.map((resource) => [resource, objectType(resource)]));

/** The object type of a resource, for fields that return its records. */
export function typeOf(resource: Resource): RecordType {
  const type = types.get(resource);
  if (!type) throw new Error(`${resource.model} has no GraphQL type`);
  return type;
}

type Fields = Record<string, FieldRef<SchemaTypes>>;

function objectType(resource: Resource): RecordType {
  return recordType(resource, [node], (t) => ({
    id: t.expose('id', { type: 'ID' }),
    ...Object.fromEntries(
      resource.fields.map(({ name, type, nullable }) => [
        name,
        t.expose(name, { type: isReference(resource, name) ? 'ID' : type, nullable }),
      ]),
    ),
    ...(resource.timestamps ? timestamps(t) : {}),
    version: t.expose('version', { type: 'Int' }),
    ...(resource.documentLike ? documentFields(t, resource) : {}),
    ...Object.fromEntries(resource.parents.map((parent) => [parent.field, parentField(t, parent)])),
    ...Object.fromEntries(resource.lines.map(({ field }) => [field, linesField(t, field)])),
  }));
}

/** Whether the field holds the id of one of our records: it is typed ID, on input too. */
export const isReference = (resource: Resource, field: string): boolean => field === resource.scope;

const timestamps = (t: RecordFields): Fields => ({
  createdAt: t.expose('createdAt', { type: 'DateTime' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime' }),
});

const documentFields = (t: RecordFields, resource: Resource): Fields => ({
  displayTitle: t.field({
    type: 'String',
    description:
      'What to call this document on a screen: its title with `{field}` filled in, or its id where it has none.',
    select: displayTitleColumns(resource),
    resolve: displayTitle,
  }),
  allowedActions: t.field({
    type: [documentAction],
    description: 'What moves this document on from its present state; empty once it is cancelled.',
    select: { status: true },
    resolve: ({ status }) => allowedActions(status),
  }),
});

const parentField = (t: RecordFields, { resource, field, link }: Parent) =>
  t.relation(field, {
    nullable: link,
    description: link
      ? `The ${resource.title} this line belongs to; null where \`parentId\` names no ${resource.title}.`
      : `The ${resource.title} this line belongs to.`,
  });

const linesField = (t: RecordFields, field: string) =>
  t.relation(field, {
    args: sliceArguments,
    query: ({ limit, offset }) => {
      checkSlice(limit, offset);
      return { where: placesOf(limit, offset), orderBy: orderOf(byPosition, false) };
    },
  });

/**
 * A slice of the lines, as their places: lines are numbered 1…n. Prisma would read every line of every parent and cut
 * the slices out of them; by their places only the lines of the slices are read.
 */
function placesOf(limit: number | null | undefined, offset: number | null | undefined): object {
  const skipped = offset ?? 0;
  if (limit == null) return skipped === 0 ? {} : { idx: { gt: skipped } };
  return { idx: { gt: skipped, lte: Math.min(skipped + limit, largestInt32) } };
}

const sliceArguments = builder.args((t) => ({
  limit: t.int({ description: `At most this many, 1 to ${largestPageSize}. All of them where it is left out.` }),
  offset: t.int({ description: 'How many to skip first.' }),
})) satisfies InputFieldMap;

function checkSlice(limit: number | null | undefined, offset: number | null | undefined): void {
  const problem = (name: string, message: string) =>
    errors.badInput([{ path: [name], code: 'parameter_invalid', message }]);
  if (limit != null && (limit < 1 || limit > largestPageSize)) {
    throw problem('limit', `must be a whole number from 1 to ${largestPageSize}`);
  }
  if (offset != null && offset < 0) throw problem('offset', 'must be 0 or more');
}
