import { describe, expect, test } from 'vitest';
import type { TypeAbout } from '../../../src/features/pages/about.js';
import {
  columnsOf,
  filterOf,
  readState,
  variablesOf,
  writeState,
} from '../../../src/features/pages/app/records/list/list-state.js';

const field = {
  restName: 'amount',
  required: false,
  nullable: true,
  default: undefined,
  description: '',
  secret: false,
};
const type: TypeAbout = {
  ...{ model: 'Quotation', area: 'crm', kind: 'resource', slug: 'sale', title: 'Sale', description: '', one: 'sale' },
  ...{ many: 'sales', aggregate: 'saleAggregate', hasStates: false, lines: [], parents: [], ofAnyRecord: false },
  ...{ waysBack: [], endpoints: [], mutations: [], subscription: '', groups: [] },
  ...{ namedBy: [['customer']], listed: ['amount', 'day'] },
  fields: [
    { ...field, name: 'customer', type: 'String', knownValues: [] },
    { ...field, name: 'amount', type: 'Float', knownValues: [] },
    { ...field, name: 'day', type: 'String', knownValues: [], formats: ['date'] },
  ],
};
const stateOf = (search: string) => readState(new URLSearchParams(search));
const filter = (...where: string[]) =>
  filterOf(type, stateOf(new URLSearchParams(where.map((text) => ['where', text])).toString()));

describe('the address of a list', () => {
  test('says all that the list shows, and is the same when it is written again', () => {
    const address =
      '?where=amount+between+1..5&where=day+thisMonth&match=any&search=mill&order=-amount&view=Mills&columns=customer%3A240%2Cday&page=3&size=1000';
    expect(writeState(stateOf(address))).toBe(address);
    expect(writeState(stateOf(''))).toBe('');
    expect(columnsOf(type, stateOf(address)).map(({ name }) => name)).toEqual(['day']);
    expect(variablesOf(type, stateOf(address), 2)).toMatchObject({
      first: 100,
      offset: 2200,
      search: 'mill',
      where: { or: [{ amount: { gte: 1, lte: 5 } }, {}] },
      orderBy: [{ field: 'AMOUNT', direction: 'DESC' }],
    });
  });

  test.each(['page=0', 'page=-1', 'page=x', 'size=7', 'page=99999999'])('%s is its first page of 25', (search) => {
    expect(variablesOf(type, stateOf(search))).toMatchObject({ first: 25, offset: undefined });
  });
});

describe('a condition on a day', () => {
  test.each([
    ['day on 2026-02-28', { gte: '2026-02-28', lt: '2026-03-01' }],
    ['day before 2026-02-28', { gte: '0', lt: '2026-02-28' }],
    ['day after 2026-12-31', { gte: '2027-01-01', lt: ':' }],
    ['day between 2026-01-01..2026-01-31', { gte: '2026-01-01', lt: '2026-02-01' }],
    ['day on soon', { gte: 'soon', lt: 'soon' }],
    ['day isFilled', { isNull: false }],
  ])('%s', (where, day) => {
    expect(filter(where)).toEqual({ day });
  });

  test('of an instant is of the clock of the reader', () => {
    const [gte, lt] = [new Date(2026, 1, 28), new Date(2026, 2, 1)].map((at) => at.toISOString());
    expect(filter('updatedAt on 2026-02-28')).toEqual({ updatedAt: { gte, lt } });
  });
});
