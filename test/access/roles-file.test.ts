/** The file of the setting ROLES is checked whole: each problem with its place, and what to do. */
import { expect, test } from 'vitest';
import { ConfigError } from '../../src/common/config-error.js';
import { readRoles } from '../../src/features/people/roles/read-roles.js';
import { resources } from '../support/resources.js';
import { readers, rolesFile, technician } from './roles.js';

/** What is wrong with a file, without its path. */
function problemsOf(roles: unknown): string[] {
  const path = rolesFile(roles);
  try {
    readRoles(path, resources);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => {
      const beginning = `ROLES names ${path}, which cannot be used: `;
      expect(problem.slice(0, beginning.length)).toBe(beginning);
      return problem.slice(beginning.length);
    });
  }
  return [];
}

test('files that are right', () => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf({ technician })).toEqual([]);
  expect(problemsOf({ manager: { scopes: ['*', 'admin', 'webhooks'] } })).toEqual([]);
});

test.each([
  ['{"a": ', /^not valid JSON: it ends at line 1, column 7, where a value is expected\.$/],
  ['[]', /^it must be an object of roles by their names/],
])('the text %s', (text, problem) => {
  expect(problemsOf(text)).toEqual([expect.stringMatching(problem)]);
});

test('a file that is not there', () => {
  expect(() => readRoles('/nowhere/roles.json', resources)).toThrow('ROLES names /nowhere/roles.json, which cannot');
});

test.each<[object, string]>([
  [{ 'a b': { scopes: [] } }, '"a b" is no name of a role: 1 to 100 characters, without spaces and commas.'],
  [{ a: 4 }, 'a must be an object.'],
  [{ a: { scopes: [], typs: {} } }, 'a.typs is no part of a role; did you mean `types`?'],
  [{ a: { scopes: ['asets:read'] } }, 'a.scopes.1 is no scope; did you mean `assets:read`?'],
  [
    { a: { scopes: [], types: { AssetRepar: {} } } },
    'a.types.AssetRepar is no type of records; did you mean `AssetRepair`?',
  ],
  [
    { a: { scopes: ['stock:read'], types: { SerialNo: { submit: true } } } },
    'a.types.SerialNo.submit is no action of SerialNo, which has read, create, update, delete.',
  ],
  [
    { a: { scopes: ['assets:read'], types: { AssetRepair: { raed: true } } } },
    'a.types.AssetRepair.raed is no action of AssetRepair, which has read, create, update, delete, submit, cancel.',
  ],
  [
    { a: { scopes: ['assets:read'], types: { AssetRepair: { update: true } } } },
    'a.types.AssetRepair.update needs the scope `assets:write`, which the role does not have; add it, or leave this out.',
  ],
  [
    { a: { scopes: ['*'], types: { AssetRepairConsumedItem: { read: true } } } },
    'a.types.AssetRepairConsumedItem has no rules of its own: its records are lines, which follow their AssetRepair; give that the rules.',
  ],
  [
    { a: { scopes: [], hide: { AssetRepair: ['id', 'compani'], SerialNo: {} } } },
    'a.hide.AssetRepair.1 (`id`) cannot be hidden: it says which record this is, whose, and in which state.',
  ],
  [
    { a: { scopes: [], hide: { AssetRepair: ['compani'] } } },
    'a.hide.AssetRepair.1 is no field of AssetRepair; did you mean `company`?',
  ],
  [
    { a: { scopes: ['assets:write'], types: { AssetRepair: { create: true } }, hide: { AssetRepair: ['asset'] } } },
    'a.hide.AssetRepair (`asset`) cannot be hidden: a new Asset Repair needs it, and a.types.AssetRepair.create lets the role create some.',
  ],
  [
    {
      a: {
        scopes: ['assets:write'],
        types: { AssetRepair: { update: true } },
        hide: { AssetRepairConsumedItem: ['itemCode', 'idx', 'assetRepairId'] },
      },
    },
    'a.hide.AssetRepairConsumedItem (`itemCode`) cannot be hidden: a new Asset Repair Consumed Item needs it, and a.types.AssetRepair.update lets the role create some.',
  ],
])('the role %j', (role, problem) => {
  expect(problemsOf(role)).toContain(problem);
});

test('what no role may hide of any type, and what one may that creates nothing', () => {
  for (const { model, documentLike, parents, scope, fields } of resources) {
    const kept = ['id', 'version', 'createdAt', 'updatedAt', 'createdBy', 'idx', 'parentType', scope ?? 'parentId'];
    const all = [...kept, ...(documentLike ? ['status'] : []), ...parents.map(({ reference }) => reference)];
    const hide = (names: string[]) => problemsOf({ a: { scopes: [], hide: { [model]: names } } });
    expect(hide(all), model).toHaveLength(all.length);
    expect(hide(fields.map(({ name }) => name).filter((name) => !all.includes(name))), model).toEqual([]);
  }
});

test('a field that some role compares cannot be hidden by another', () => {
  const roles = {
    ...readers({ or: [{ not: { and: [{ company: { ne: '$claims.company' } }] } }, { asset: { eq: 'LATHE' } }] }),
    a: { scopes: [], hide: { AssetRepair: ['company', 'asset', 'repairCost'], SerialNo: ['company'] } },
  };
  const because =
    'cannot be hidden: reader.types.AssetRepair.read compares it, so the records that are shown would tell its value.';
  expect(problemsOf(roles)).toEqual([
    `a.hide.AssetRepair (\`company\`) ${because}`,
    `a.hide.AssetRepair (\`asset\`) ${because}`,
  ]);
});

const place = 'reader.types.AssetRepair.read';

test.each<[unknown, string]>([
  [4, ' must be true, false, or a filter such as {"company": {"eq": "$claims.company"}}.'],
  [{ compani: { eq: 'x' } }, '.compani is no field of AssetRepair that a rule compares; did you mean `company`?'],
  [{ company: { eqq: 'x' } }, '.company.eqq is no comparison of this field; did you mean `eq`?'],
  [{ company: { eq: 4 } }, '.company.eq must be a text, as the field is of type String.'],
  [{ company: { eq: null } }, '.company.eq must not be null; ask with `isNull`.'],
  [{ company: {} }, '.company must be an object with a comparison, such as {"eq": …}.'],
  [{ company: 'ACME' }, '.company must be an object with a comparison, such as {"eq": …}.'],
  [{ company: { in: [] } }, '.company.in must be a list with 1 to 1000 entries.'],
  [{ company: { in: ['A', 4] } }, '.company.in.2 must be a text, as the field is of type String.'],
  [{ company: { in: 'A' } }, '.company.in must be a list, or a claim that is one, such as "$claims.companies".'],
  [{ company: { in: '$subject' } }, '.company.in cannot be `$subject`'],
  [{ repairCost: { eq: '$subject' } }, '.repairCost.eq cannot be `$subject`'],
  [{ company: { eq: '$claim.company' } }, '.company.eq begins with `$` and is neither `$claims.`'],
  [{ company: { contains: 'x'.repeat(501) } }, '.company.contains must be a text of 500 characters at most'],
  [{ company: { eq: 'x', ignoreCase: true } }, '.company.ignoreCase needs `contains`'],
  [{ company: { isNull: '$claims.x' } }, '.company.isNull must be true or false.'],
  [{ repairCost: { gt: '1' } }, '.repairCost.gt must be a number, as the field is of type Float.'],
  [
    { status: { eq: 'draft' } },
    '.status.eq must be one of DRAFT, SUBMITTED, CANCELLED, as the field is of type DocumentStatus.',
  ],
  [{ status: { gt: 'DRAFT' } }, '.status.gt is no comparison of this field'],
  [{ and: [{ company: { eq: 4 } }] }, '.and.1.company.eq must be a text, as the field is of type String.'],
  [{ or: [] }, '.or must be a list with 1 to 1000 entries.'],
  [{ not: {} }, '.not must be an object with conditions'],
  [{ and: [4] }, '.and.1 must be an object with conditions'],
  [{ createdAt: { gt: '2026-01-01T00:00:00Z' } }, '.createdAt asks for a time'],
  [{ id: { eq: 'x' } }, '.id is given by the gateway'],
  [{ consumedItems: { some: {} } }, '.consumedItems asks for lines; a rule compares the own fields of a record only'],
])('the rule %j', (read, problem) => {
  const [first, ...others] = problemsOf(readers(read));
  expect(first?.startsWith(place + problem), first).toBe(true);
  expect(others).toEqual([]);
});

test('links, documents and credentials', () => {
  const all = (types: object) => problemsOf({ a: { scopes: ['*'], types } });
  expect(all({ Quotation: { read: { company: { eq: 'x' } } } })).toEqual([]);
  expect(all({ SigningSignature: { read: { document: { eq: 'x' } } } })[0]).toContain('is no field');
  expect(all({ JobCardTimeLog: { read: { jobCard: { status: { eq: 'DRAFT' } } } } })[0]).toContain(
    'asks for the document of a line',
  );
  expect(all({ CurrencyExchangeSettings: { read: { accessKey: { eq: 'x' } } } })[0]).toContain('holds a credential');
  const linked = resources.find(({ kind, links }) => kind === 'resource' && links.length > 0);
  expect(all({ [linked?.model ?? '']: { read: { [linked?.links[0]?.field ?? '']: {} } } })[0]).toContain(
    'follows a link',
  );
});

test('every problem is named at once', () => {
  const roles = {
    a: { scopes: ['x', 'y'], types: { AssetRepair: { read: { nothing: {}, company: { eq: 4, ne: 5 } } } } },
    b: 4,
  };
  expect(problemsOf(roles)).toHaveLength(8);
});
