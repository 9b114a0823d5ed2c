/** How people read each type of record, as it is stated beside the models. */
import { describe, expect, test } from 'vitest';
import { currencyOf, numberKindOf, presentationOf } from '../../src/model/presentation.js';
import { recordName } from '../../src/model/record-name.js';
import { resources } from '../support/resources.js';

const called = (model: string) => {
  const found = resources.find((resource) => resource.model === model);
  if (!found) throw new Error(`There is no ${model}`);
  return found;
};

describe.each(resources.map((resource) => [resource.model, resource] as const))('%s', (_, resource) => {
  const { namedBy, listed, groups } = presentationOf(resource);
  const texts = resource.fields.filter(({ type }) => type === 'String').map(({ name }) => name);

  test('is named by texts, but where there is only one record', () => {
    expect(namedBy.length > 0).toBe(resource.kind !== 'singleton');
    expect(texts).toEqual(expect.arrayContaining(namedBy.flat()));
    expect(resource.fields.filter(({ secret }) => secret).map(({ name }) => name)).not.toContain(namedBy[0]?.[0]);
  });

  test('has at most six fields in a list, each once and none of those that every record has', () => {
    expect(listed.length).toBeLessThanOrEqual(6);
    expect(new Set(listed).size).toBe(listed.length);
    expect(resource.fields.map(({ name }) => name)).toEqual(expect.arrayContaining([...listed]));
    expect(resource.documentLike && listed.includes('status')).toBe(false);
  });

  test('has each field in one group of its form, in the order of the document, but its state and the place of a line', () => {
    const placed = resource.kind === 'child' ? ['idx', 'parentType', resource.scope] : [];
    const state = resource.documentLike ? ['status'] : [];
    const fields = resource.fields.map(({ name }) => name).filter((name) => ![...placed, ...state].includes(name));
    expect(groups.flatMap((group) => group.fields).toSorted()).toEqual(fields.toSorted());
    for (const group of groups) expect(group.fields).toEqual(fields.filter((name) => group.fields.includes(name)));
    expect(groups.slice(1).filter((group) => group.fields.length < 2)).toEqual([]);
    expect(Math.max(...groups.map((group) => group.fields.length))).toBeLessThanOrEqual(15);
  });
});

test('a quotation is read by customer, dates and total', () => {
  const { namedBy, listed, groups } = presentationOf(called('Quotation'));
  expect(namedBy).toEqual([['customerName', 'partyName']]);
  expect(listed.slice(0, 3)).toEqual(['transactionDate', 'validTill', 'grandTotal']);
  expect(groups.map(({ heading }) => heading).slice(0, 4)).toEqual([
    'What it is',
    'Parties',
    'Items and quantities',
    'Amounts',
  ]);
});

test('a name is the first filled text of each place', () => {
  const presentation = presentationOf(called('JobCard'));
  expect(
    recordName(presentation, { operation: ' Welding ', itemName: '', productionItem: 'PUMP', workOrder: 'WO-1' }),
  ).toBe('Welding · PUMP');
  expect(recordName(presentation, { operation: null, itemName: 7, workOrder: 'WO-1' })).toBe('WO-1');
  expect(recordName(presentation, {})).toBe('');
});

test('every number with decimals is money, a quantity or a percentage, but durations, rates of exchange and places', () => {
  const others = resources.flatMap(({ model, fields }) =>
    fields.filter((field) => field.type === 'Float' && !numberKindOf(field)).map(({ name }) => `${model}.${name}`),
  );
  const known = /(Hours|hours|Mins|timeRequired|[cC]onversionRate|exchangeRate|onversionFactor|sequenceId|RowId)$/;
  expect(others.filter((name) => !known.test(name))).toEqual([]);
});

test.each([
  ['Quotation', 'grandTotal', 'money', 'currency'],
  ['Quotation', 'baseGrandTotal', 'money', undefined],
  ['Quotation', 'additionalDiscountPercentage', 'percentage', undefined],
  ['Quotation', 'conversionRate', undefined, undefined],
  ['BankReconciliationTool', 'bankStatementClosingBalance', 'money', 'accountCurrency'],
  ['TimesheetDetail', 'billingRate', 'money', 'currency'],
  ['SalesInvoicePayment', 'amount', 'money', undefined],
  ['JobCard', 'hourRate', 'money', undefined],
  ['JobCard', 'totalTimeInMins', undefined, undefined],
  ['JobCardTimeLog', 'completedQty', 'quantity', undefined],
  ['SubcontractingOrder', 'total', 'money', undefined],
  ['SubcontractingOrder', 'perReceived', 'percentage', undefined],
] as const)('%s.%s is %s in %s', (model, name, kind, currency) => {
  const resource = called(model);
  const field = resource.fields.find((each) => each.name === name);
  if (!field) throw new Error(`There is no ${model}.${name}`);
  expect(numberKindOf(field)).toBe(kind);
  expect(currencyOf(resource, field)).toBe(currency);
});
