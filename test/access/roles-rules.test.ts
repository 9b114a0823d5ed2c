/** What roles allow: their rules as conditions, for a caller with claims. */
import { expect, test } from 'vitest';
import { keptGrants } from '../../src/features/people/roles/create-grants.js';
import { allOf, anyOf, equals, everything, never } from '../../src/query/condition.js';
import { conditionOf } from '../../src/query/filter.js';
import { grantsIn, readers, resourceOf, ruleOf, technician } from './roles.js';

const repair = resourceOf('AssetRepair');
const acme = equals('company', 'ACME');

test('the example allows what it names, for the company of the caller, and hides what it hides', () => {
  const { scopes, rights } = grantsIn({ technician }).granted(['technician'], {
    subject: 'key:brg_1',
    claims: { company: 'ACME' },
  });
  expect(scopes).toEqual(technician.scopes);
  for (const action of ['read', 'update', 'submit'] as const) expect(rights.rule(repair, action)).toEqual(acme);
  for (const action of ['create', 'delete', 'cancel'] as const) expect(rights.rule(repair, action)).toEqual(never);
  expect(rights.rule(resourceOf('AssetRepairConsumedItem'), 'read')).toEqual(never);
  expect(rights.rule(resourceOf('SerialNo'), 'read')).toEqual(never);
  expect([...rights.hidden(repair)]).toEqual(['repairCost']);
  expect([...rights.hidden(resourceOf('SerialNo'))]).toEqual([]);
});

test('true stands for every record, false for none, also of those that other roles show', () => {
  expect(ruleOf(readers(true))).toEqual(everything);
  expect(ruleOf(readers(false))).toEqual(never);
  const types = { AssetRepair: { read: false, update: true } };
  const roles = { ...readers(true), none: { scopes: ['assets:read', 'assets:write'], types } };
  expect(ruleOf(roles, {}, 'update')).toEqual(never);
});

test('several roles add up; another action is limited by what its role may read, or by what others may where it names no reading', () => {
  const roles = {
    ...readers({ company: { eq: 'ACME' } }),
    other: {
      scopes: ['assets:read', 'assets:write'],
      types: { AssetRepair: { read: { asset: { eq: 'LATHE' } }, update: true } },
    },
    writer: { scopes: ['assets:write'], types: { AssetRepair: { update: { company: { ne: 'X' } } } } },
  };
  const read = anyOf(acme, equals('asset', 'LATHE'));
  expect(ruleOf(roles)).toEqual(read);
  const lathe = equals('asset', 'LATHE');
  const others = allOf(read, conditionOf(repair, { company: { ne: 'X' } }));
  expect(ruleOf(roles, {}, 'update')).toEqual(anyOf(lathe, others));
  const { rights } = grantsIn(roles).granted(['reader', 'writer'], { subject: 's', claims: {} });
  expect(rights.rule(repair, 'update')).toEqual(allOf(acme, conditionOf(repair, { company: { ne: 'X' } })));
  expect(ruleOf({ writer: roles.writer }, {}, 'update')).toEqual(never);
});

test('a rule counts only with the scope of its own role, and hidden by one role is hidden', () => {
  const roles = {
    scoped: { scopes: ['assets:read'], types: {} },
    ...readers(false, []),
    hiding: { scopes: [], hide: { AssetRepair: ['costCenter', 'project'], AssetRepairConsumedItem: ['serialNo'] } },
    technician,
  };
  const { rights } = grantsIn(roles).granted(Object.keys(roles), { subject: 's', claims: {} });
  expect([...rights.hidden(repair)].sort()).toEqual(['costCenter', 'project', 'repairCost']);
  expect([...rights.hidden(resourceOf('AssetRepairConsumedItem'))]).toEqual(['serialNo']);
  expect(rights.rule(repair, 'read')).toEqual(never);
});

test.each([
  ['missing', {}],
  ['null', { company: null }],
  ['an empty text', { company: '' }],
  ['a number', { company: 4 }],
  ['a list', { company: ['ACME'] }],
  ['an object', { company: { eq: 'ACME' } }],
  ['not storable', { company: 'A\u0000' }],
])('a claim that is %s makes the whole rule false, also under not', (_, claims) => {
  const compared = { company: { eq: '$claims.company' } };
  expect(ruleOf(readers(compared), claims)).toEqual(never);
  expect(ruleOf(readers({ not: compared }), claims)).toEqual(never);
  expect(ruleOf(readers({ or: [compared, { asset: { eq: 'LATHE' } }] }), claims)).toEqual(never);
  expect(ruleOf(readers({ company: { in: ['ACME', '$claims.company'] } }), claims)).toEqual(never);
});

test('lists of claims serve in and notIn alone, and what is in them has the type of the field', () => {
  const among = { company: { in: '$claims.companies' } };
  expect(ruleOf(readers(among), { companies: ['A', 'B'] })).toEqual(
    conditionOf(repair, { company: { in: ['A', 'B'] } }),
  );
  const outside = { not: { company: { notIn: '$claims.companies' } } };
  expect(ruleOf(readers(outside), { companies: ['A'] })).toEqual(
    conditionOf(repair, { not: { company: { notIn: ['A'] } } }),
  );
  for (const companies of ['A', [], [''], ['A', 4], [['A']], { 0: 'A' }, Array(1001).fill('A')])
    for (const filter of [among, outside]) expect(ruleOf(readers(filter), { companies })).toEqual(never);
});

test('claims are put in by the type of the field, texts with $$ as they are, and $subject', () => {
  const costly = readers({ repairCost: { lte: '$claims.limit' } });
  expect(ruleOf(costly, { limit: 4.5 })).toEqual(conditionOf(repair, { repairCost: { lte: 4.5 } }));
  for (const limit of ['4.5', Number.NaN, true]) expect(ruleOf(costly, { limit })).toEqual(never);
  const inState = readers({ status: { eq: '$claims.state' } });
  expect(ruleOf(inState, { state: 'SUBMITTED' })).toEqual(conditionOf(repair, { status: { eq: 'submitted' } }));
  expect(ruleOf(inState, { state: 'submitted' })).toEqual(never);
  expect(ruleOf(readers({ company: { in: ['$$claims.company', '$$$x', '$$subject'] } }))).toEqual(
    conditionOf(repair, { company: { in: ['$claims.company', '$$x', '$subject'] } }),
  );
  const own = readers({ or: [{ createdBy: { eq: '$subject' } }, { createdBy: { isNull: true } }] });
  expect(ruleOf(own)).toEqual(anyOf(equals('createdBy', 'key:brg_1'), equals('createdBy', null)));
  expect(ruleOf(readers({ createdBy: { ne: 'x' } }))).toEqual(
    anyOf(equals('createdBy', null), { kind: 'compare', field: 'createdBy', operator: 'ne', value: 'x' }),
  );
});

test('dots lead into claims, after a claim whose own name has dots, and into no prototype', () => {
  const at = (name: string) => readers({ company: { eq: `$claims.${name}` } });
  expect(ruleOf(at('org.company'), { org: { company: 'ACME' } })).toEqual(acme);
  expect(ruleOf(at('https://x.example/company'), { 'https://x.example/company': 'ACME' })).toEqual(acme);
  for (const name of ['constructor.name', '__proto__.x', 'org.length'])
    expect(ruleOf(at(name), { org: 'ACME' })).toEqual(never);
});

test('who may do the same has the same rights; who may not has another digest', () => {
  const kept = keptGrants();
  const grants = grantsIn({ technician, ...readers(true) }, kept);
  const of = (names: string[], claims = {}, from = grants) => from.granted(names, { subject: 'key:brg_1', claims });
  const one = of(['technician'], { company: 'ACME', iat: 1 });
  expect(of(['technician', 'unknown'], { iat: 2, company: 'ACME' })).toBe(one);
  expect(of(['technician'], { company: 'ACME' }, grantsIn({ technician }, kept))).toBe(one);
  const others = [
    of(['technician'], { company: 'OTHER' }),
    of(['technician']),
    of(['technician', 'reader'], { company: 'ACME' }),
    of(['reader']),
    of([]),
    of(['technician'], { company: 'ACME' }, grantsIn({ technician: { ...technician, hide: {} } }, kept)),
  ];
  const digests = [one, ...others].map(({ rights }) => rights.digest);
  expect(new Set(digests).size).toBe(digests.length);
  expect(of(['reader'], { company: 'X' })).toBe(of(['reader'], { company: 'Y' }));
  expect(of([]).scopes).toEqual([]);
});

test('lines of parents that are not held here have rules of their own', () => {
  const payments = (rule: object) => ({
    cashier: { scopes: ['accounts:read'], types: { SalesInvoicePayment: { read: rule } } },
  });
  expect(ruleOf(payments({ modeOfPayment: { eq: 'Cash' } }), {}, 'read', 'SalesInvoicePayment')).toEqual(
    equals('modeOfPayment', 'Cash'),
  );
});
