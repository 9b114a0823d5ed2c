/** Inputs that form, filter and order groups: `AssetRepairGroupBy`, `AssetRepairHaving`, `AssetRepairGroupOrder`. */
import type { InputRef } from '@pothos/core';
import type { Resource } from '../../model/resource.js';
import type { GroupOrder } from '../../records/aggregate.js';
import type { Filter } from '../../records/filter.js';
import type { GroupKey } from '../../records/measure.js';
import type { Builder } from '../builder.js';
import { isOfOneRecord } from '../guards/aggregate-problems.js';
import { perBuilder } from '../per-builder.js';
import { type Column, columnsOf, describedAt } from '../types/columns.js';
import { comparisonOf } from './comparisons.js';
import { direction, nulls, orderFieldOf } from './orders.js';

const datePart = perBuilder((builder) =>
  builder.enumType('DatePart', {
    description: 'A part of a date, with which texts that hold dates and instants begin. Instants are in UTC.',
    values: {
      YEAR: { value: 'year', description: 'The first 4 characters, `2026`.' },
      MONTH: { value: 'month', description: 'The first 7 characters, `2026-01`.' },
      DAY: { value: 'day', description: 'The first 10 characters, `2026-01-31`.' },
    } as const,
  }),
);

const measure = perBuilder((builder) =>
  builder.enumType('AggregateMeasure', {
    description: 'What is measured in a group of records.',
    values: {
      COUNT: { value: 'count', description: 'How many records there are; takes no field.' },
      SUM: { value: 'sum', description: 'A field of numbers, added up.' },
      AVG: { value: 'avg', description: 'A field of numbers, on average.' },
      MIN: { value: 'min', description: 'The least value of a field.' },
      MAX: { value: 'max', description: 'The greatest value of a field.' },
    } as const,
  }),
);

/** Fields that records can be grouped by. */
export const groupablesOf = (resource: Resource): Column[] =>
  columnsOf(resource).filter(({ name }) => !isOfOneRecord(name));

/** Numeric fields. */
export const numbersOf = (resource: Resource): Column[] =>
  groupablesOf(resource).filter(({ type }) => type === 'Float' || type === 'Int');

/** Fields with a least and a greatest value. */
export const orderablesOf = (resource: Resource): Column[] =>
  groupablesOf(resource).filter(({ type }) => type !== 'Boolean');

export function groupByOf(builder: Builder, resource: Resource): InputRef<GroupKey> {
  return builder.inputType(`${resource.model}GroupBy`, {
    description: `What the records of ${resource.title} in one group have in common.`,
    fields: (t) => ({
      field: t.field({
        type: orderFieldOf(builder, resource),
        required: true,
        description: 'The field of which all have the same value; no value counts as one.',
      }),
      by: t.field({
        type: datePart(builder),
        description: 'Only this part of the value, where the field holds dates as text or an instant.',
      }),
    }),
  });
}

export function groupOrderOf(builder: Builder, resource: Resource): InputRef<GroupOrder> {
  return builder.inputType(`${resource.model}GroupOrder`, {
    description: `One thing to sort groups of ${resource.title} by.`,
    fields: (t) => ({
      measure: t.field({
        type: measure(builder),
        description: 'What to compare in the groups; left out, their key `field`.',
      }),
      field: t.field({ type: orderFieldOf(builder, resource), description: 'The field measured, or the key.' }),
      direction: t.field({ type: direction(builder), required: true, defaultValue: 'asc', description: 'Up or down.' }),
      nulls: t.field({
        type: nulls(builder),
        required: true,
        defaultValue: 'last',
        description: 'Where groups without such a value stand.',
      }),
    }),
  });
}

/** Such as `{ count, sum: { grandTotal: { gte } }, … }`. */
export function havingOf(builder: Builder, resource: Resource): InputRef<Filter> {
  const numbers = numbersOf(resource);
  const compared = (name: string, columns: Column[], typeOf: (column: Column) => Column['type'], description: string) =>
    builder.inputType(`${resource.model}${name}`, {
      description: `${description} ${describedAt(resource)}`,
      fields: (t) =>
        Object.fromEntries(
          columns.map((column) => [column.name, t.field({ type: comparisonOf(builder, typeOf(column)) })]),
        ),
    });
  const sums =
    numbers.length > 0
      ? compared('SumsHaving', numbers, () => 'Float', `Conditions on sums or averages of ${resource.title}.`)
      : undefined;
  const extremes = compared(
    'ExtremesHaving',
    orderablesOf(resource),
    ({ type }) => type,
    `Conditions on the least or greatest values of ${resource.title}.`,
  );
  return builder.inputType(`${resource.model}Having`, {
    description: `Which groups of ${resource.title} to take. Conditions side by side must all hold.`,
    fields: (t) => ({
      count: t.field({ type: comparisonOf(builder, 'Int'), description: 'How many records the group has.' }),
      ...(sums
        ? {
            sum: t.field({ type: sums, description: 'What its numbers add up to.' }),
            avg: t.field({ type: sums, description: 'What its numbers are on average.' }),
          }
        : {}),
      min: t.field({ type: extremes, description: 'Its least values.' }),
      max: t.field({ type: extremes, description: 'Its greatest values.' }),
    }),
  });
}
