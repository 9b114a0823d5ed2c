/** `AssetRepairAggregate`: records counted, and their fields measured, all of them or those of one group. */
import type { ObjectRef } from '@pothos/core';
import { type MaybePromise, whenResolved } from '../../../common/maybe-promise.js';
import { type Builder, perBuilder, type SchemaTypes } from '../../../graphql/builder.js';
import { type Column, columnsOf } from '../../../graphql/types/columns.js';
import { documentStatus, knownStatus } from '../../../graphql/types/enums.js';
import type { Resource } from '../../../model/resource.js';
import type { ColumnType } from '../../../model/selection.js';
import { finite, type Group, type Measured } from '../aggregate.js';

/** The parts of an aggregate, each read when it is first resolved. */
export interface Aggregate {
  group(): MaybePromise<Group>;
  groups(): MaybePromise<readonly Aggregate[]>;
  hasMoreGroups(): MaybePromise<boolean>;
}

/** A group has no groups of its own. */
export const aggregateOfGroup = (group: Group): Aggregate => ({
  group: () => group,
  groups: () => [],
  hasMoreGroups: () => false,
});

/** Such as `AssetRepairAggregate`. */
export function aggregateTypeOf(builder: Builder, resource: Resource): ObjectRef<SchemaTypes, Aggregate> {
  const type = builder.objectRef<Aggregate>(`${resource.model}Aggregate`);
  type.implement({
    description: `Records of ${resource.title} counted and measured.`,
    interfaces: [aggregate(builder)],
    fields: (t) => ({
      count: t.int({ resolve: (asked) => whenResolved(asked.group(), ({ count }) => count) }),
      groups: t.field({ type: [type], resolve: (asked) => asked.groups() }),
      hasMoreGroups: t.boolean({ resolve: (asked) => asked.hasMoreGroups() }),
      ...Object.fromEntries(
        columnsOf(resource).map((column) => [
          // An object with an `id` that is no record would confuse client caches.
          column.name === 'id' ? 'recordId' : column.name,
          t.field({
            type: columnAggregates(builder)[column.holdsDate ? 'Date' : column.type],
            resolve: ({ group }) => ({ field: column.name, group }),
          }),
        ]),
      ),
    }),
  });
  return type;
}

const aggregate = perBuilder((builder) => {
  const type = builder.interfaceRef<Aggregate>('Aggregate');
  return type.implement({
    description:
      'Records counted and measured: all of them, or those of one group. Beside what is here, an aggregate has each field of its records, with what is measured of it.',
    fields: (t) => ({
      count: t.int({ description: 'How many records there are.' }),
      groups: t.field({
        type: [type],
        description: 'The groups that `groupBy` makes; one of all records without it. A group has none of its own.',
      }),
      hasMoreGroups: t.boolean({ description: 'Whether groups follow those given; `offset` leads to them.' }),
    }),
  });
});

// `FloatAggregate` and the like: the key of a group, and what is measured of a field; the same for all record types.

interface ColumnOfGroup {
  field: string;
  group(): MaybePromise<Group>;
}

type ColumnAggregate = ObjectRef<SchemaTypes, ColumnOfGroup>;

const columnAggregates = perBuilder((builder): Record<Column['type'] | 'Date', ColumnAggregate> => {
  return {
    DocumentStatus: statusAggregate(builder),
    String: columnAggregate(builder, 'String', 'A field of texts', {}),
    ID: columnAggregate(builder, 'ID', 'A field of ids', {}),
    Boolean: columnAggregate(builder, 'Boolean', 'A field that is true or false', {}),
    Date: columnAggregate(builder, 'Date', 'A field of texts that hold dates', { key: 'String', extremes: 'String' }),
    DateTime: columnAggregate(builder, 'DateTime', 'A field of instants', { key: 'String', extremes: 'DateTime' }),
    Int: columnAggregate(builder, 'Int', 'A field of whole numbers', { extremes: 'Int', isAdded: true }),
    Float: columnAggregate(builder, 'Float', 'A field of numbers', { extremes: 'Float', isAdded: true }),
  };
});

const statusAggregate = (builder: Builder): ColumnAggregate =>
  builder.objectRef<ColumnOfGroup>('DocumentStatusAggregate').implement({
    description: 'The state of documents, in a group of records or in all of them.',
    fields: (t) => ({
      key: t.field({
        type: documentStatus(builder),
        nullable: true,
        description: keyDescription,
        resolve: ({ field, group }) =>
          whenResolved(group(), ({ keys }) => (keys[field] == null ? null : knownStatus('document', keys[field]))),
      }),
    }),
  });

interface Measures {
  /** The type of keys, if it is not that of the field. */
  key?: 'String';
  extremes?: 'String' | 'DateTime' | 'Int' | 'Float';
  isAdded?: boolean;
}

function columnAggregate(
  builder: Builder,
  name: ColumnType | 'Date',
  title: string,
  { key, extremes, isAdded = false }: Measures,
): ColumnAggregate {
  return builder.objectRef<ColumnOfGroup>(`${name}Aggregate`).implement({
    description: `${title}, in a group of records or in all of them. What is measured is null where no record has a value.`,
    fields: (t) => {
      const value = (of: 'keys' | 'sum' | 'avg' | 'min' | 'max', type: ColumnType, description: string) =>
        t.field({
          type,
          nullable: true,
          description,
          // Refused here and not for all of the group, so that the error is at the same field whatever else is asked.
          resolve: ({ field, group }) =>
            whenResolved(group(), (found) => finite((found[of] satisfies Measured)[field])),
        });
      return {
        key: value('keys', key ?? (name === 'Date' ? 'String' : name), keyDescription),
        ...(isAdded
          ? {
              sum: value(
                'sum',
                'Float',
                'What the values add up to as the decimals they are written as, in any order: 0.1 and 0.2 are 0.3.',
              ),
              avg: value('avg', 'Float', 'The sum by the number of records that have a value.'),
            }
          : {}),
        ...(extremes
          ? {
              min: value('min', extremes, 'The least of the values.'),
              max: value('max', extremes, 'The greatest of the values.'),
            }
          : {}),
      };
    },
  });
}

const keyDescription =
  'What the records of the group have in common; null where they have no value, or are not grouped by it.';
