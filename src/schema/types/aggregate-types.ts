/** The types of an aggregate: `AssetRepairAggregate`, its groups, their keys and measures. */
import type { ObjectRef } from '@pothos/core';
import type { Resource } from '../../model/resource.js';
import { finite, type Group } from '../../records/aggregate.js';
import type { Measured } from '../../records/measure.js';
import type { Builder, SchemaTypes } from '../builder.js';
import { groupablesOf, numbersOf, orderablesOf } from '../inputs/aggregate-inputs.js';
import { type Column, describedAt } from './columns.js';

/** The parts of an aggregate, each read when it is first resolved. */
export interface Aggregate {
  total(): Promise<Group>;
  groups(): Promise<Group[]>;
  hasMoreGroups(): Promise<boolean>;
}

type FieldBuilder<Shape> = PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Shape>;

/** Such as `AssetRepairAggregate`. */
export function aggregateTypeOf(builder: Builder, resource: Resource): ObjectRef<SchemaTypes, Aggregate> {
  const { model, title } = resource;
  const measures = measureTypes(builder, resource);
  const described = describedAt(resource);
  const keys = valuesType(
    builder,
    `${model}GroupKeys`,
    `What the records of a group of ${title} have in common; null where they have no value, or are not grouped by it. ${described}`,
    groupablesOf(resource).map((column) => (column.type === 'DateTime' ? { ...column, type: 'String' } : column)),
  );
  const group = builder.objectRef<Group>(`${model}Group`).implement({
    description: `Records of ${title} that have something in common, counted and summed up.`,
    fields: (t) => ({
      keys: t.field({ type: keys, description: 'The values they were grouped by.', resolve: (found) => found.keys }),
      ...measureFields(t, measures, (found) => found),
    }),
  });
  return builder.objectRef<Aggregate>(`${model}Aggregate`).implement({
    description: `Records of ${title} counted and summed up, as a whole and in groups.`,
    fields: (t) => ({
      ...measureFields(t, measures, (asked) => asked.total()),
      groups: t.field({
        type: [group],
        description:
          'The groups `groupBy` makes, in the order of `orderBy` and then of their keys; one of all records without `groupBy`.',
        resolve: (asked) => asked.groups(),
      }),
      hasMoreGroups: t.boolean({
        description: 'Whether groups follow those given; `offset` leads to them.',
        resolve: (asked) => asked.hasMoreGroups(),
      }),
    }),
  });
}

interface MeasureTypes {
  sums: ObjectRef<SchemaTypes, Measured> | undefined;
  extremes: ObjectRef<SchemaTypes, Measured>;
}

function measureTypes(builder: Builder, resource: Resource): MeasureTypes {
  const { model, title } = resource;
  const described = describedAt(resource);
  const numbers = numbersOf(resource).map((column): Column => ({ ...column, type: 'Float' }));
  const added = `Fields of ${title} added up or on average; null where no record has a value. ${described}`;
  const extreme = `The least or greatest values of ${title}; null where no record has one. ${described}`;
  return {
    sums: numbers.length > 0 ? valuesType(builder, `${model}Sums`, added, numbers) : undefined,
    extremes: valuesType(builder, `${model}Extremes`, extreme, orderablesOf(resource)),
  };
}

function measureFields<Shape>(
  t: FieldBuilder<Shape>,
  { sums, extremes }: MeasureTypes,
  groupOf: (shape: Shape) => Group | Promise<Group>,
) {
  const measure = (type: ObjectRef<SchemaTypes, Measured>, kind: 'sum' | 'avg' | 'min' | 'max', description: string) =>
    t.field({ type, description, resolve: async (shape) => (await groupOf(shape))[kind] });
  return {
    count: t.int({
      description: 'How many records there are.',
      resolve: async (shape) => (await groupOf(shape)).count,
    }),
    ...(sums
      ? {
          sum: measure(
            sums,
            'sum',
            'What the numbers add up to as the decimals they are written as, in any order: 0.1 and 0.2 are 0.3.',
          ),
          avg: measure(sums, 'avg', 'The sum by the number of records that have a value.'),
        }
      : {}),
    min: measure(extremes, 'min', 'The least of the values.'),
    max: measure(extremes, 'max', 'The greatest of the values.'),
  };
}

function valuesType(
  builder: Builder,
  name: string,
  description: string,
  columns: Column[],
): ObjectRef<SchemaTypes, Measured> {
  return builder.objectRef<Measured>(name).implement({
    description,
    fields: (t) =>
      Object.fromEntries(
        columns.map((column) => [
          column.name,
          t.field({
            type: column.type,
            nullable: true,
            // Refused here and not for all of the group, so that the error is at the same field whatever else is asked.
            resolve: (values) => finite(values[column.name]),
          }),
        ]),
      ),
  });
}
