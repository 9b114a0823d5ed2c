/** The file of the setting ROLES is checked whole: each problem with its place, and what to do. */
import { execFileSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRoles } from '../../src/features/people/roles/read-roles.js';
import { freshFolder } from '../support/database.js';
import { resources } from '../support/resources.js';
import { readers, rolesFile, technician, withoutPath } from './roles.js';

/** What is wrong with a file, without its path. */
function problemsOf(roles: unknown): string[] {
  const path = rolesFile(roles);
  const problems: string[] = [];
  readRoles(path, resources, problems);
  return withoutPath(problems, 'ROLES', path);
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
  const problems: string[] = [];
  readRoles('/nowhere/roles.json', resources, problems);
  expect(problems).toEqual([expect.stringMatching(/^ROLES names \/nowhere\/roles\.json, which cannot.*ENOENT/)]);
});

test.each<[object, string]>([
  [{ 'a b': { scopes: [] } }, '`a b` is no name of a role: 1 to 100 characters, without spaces and commas.'],
  [{ a: 4 }, '`a` must be of the type object.'],
  [{ a: { scopes: [], typs: {} } }, '`a` has what is not known there, `typs`; did you mean `types`?'],
  [
    { a: { scopes: ['asets:read'] } },
    '`a.scopes.1` is none of those that are possible there; did you mean `assets:read`?',
  ],
  [
    { a: { scopes: [], types: { AssetRepar: {} } } },
    '`a.types` has what is not known there, `AssetRepar`; did you mean `AssetRepair`?',
  ],
  [
    { a: { scopes: ['stock:read'], types: { SerialNo: { submit: true } } } },
    '`a.types.SerialNo` has what is not known there, `submit`; possible are read, create, update, delete.',
  ],
  [
    { a: { scopes: ['assets:read'], types: { AssetRepair: { raed: true } } } },
    '`a.types.AssetRepair` has what is not known there, `raed`; possible are read, create, update, delete, submit, cancel.',
  ],
  [
    { a: { scopes: ['assets:read'], types: { AssetRepair: { update: true } } } },
    '`a.types.AssetRepair.update` needs the scope `assets:write`; add it, or leave this out.',
  ],
  [
    { a: { scopes: ['*'], types: { AssetRepairConsumedItem: { read: true } } } },
    '`a.types.AssetRepairConsumedItem` has no rules of its own: its records are lines, which follow their document; give that the rules.',
  ],
  [
    { a: { scopes: [], hide: { AssetRepair: ['id', 'compani'], SerialNo: {} } } },
    '`a.hide.AssetRepair.1` is none of those that are possible there.',
  ],
  [
    { a: { scopes: [], hide: { AssetRepair: ['compani'] } } },
    '`a.hide.AssetRepair.1` is none of those that are possible there; did you mean `company`?',
  ],
  [
    { a: { scopes: ['assets:write'], types: { AssetRepair: { create: true } }, hide: { AssetRepair: ['asset'] } } },
    '`a.hide.AssetRepair` cannot hide `asset`: `a.types.AssetRepair.create` lets the role create some Asset Repair, which needs it.',
  ],
  [
    {
      a: {
        scopes: ['assets:write'],
        types: { AssetRepair: { update: true } },
        hide: { AssetRepairConsumedItem: ['itemCode', 'idx', 'assetRepairId'] },
      },
    },
    '`a.hide.AssetRepairConsumedItem` cannot hide `itemCode`: `a.types.AssetRepair.update` lets the role create some Asset Repair Consumed Item, which needs it.',
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
  const because = '`reader.types.AssetRepair.read` compares it, so the records that are shown would tell its value.';
  expect(problemsOf(roles)).toEqual([
    `\`a.hide.AssetRepair\` cannot hide \`asset\`: ${because}`,
    `\`a.hide.AssetRepair\` cannot hide \`company\`: ${because}`,
  ]);
});

const place = '`reader.types.AssetRepair.read';

test.each<[unknown, string]>([
  [4, '` must be a filter such as {"company": {"eq": "$claims.company"}}.'],
  [{ compani: { eq: 'x' } }, '` has what is not known there, `compani`; did you mean `company`?'],
  [{ company: { eqq: 'x' } }, '.company` has what is not known there, `eqq`; did you mean `eq`?'],
  [
    { company: { eq: 4 } },
    '.company.eq` must be of the type String, or a claim such as "$claims.company"; a `$` at the beginning of another text is written `$$`.',
  ],
  [
    { company: { eq: null } },
    '.company.eq` must be of the type String, or a claim such as "$claims.company"; a `$` at the beginning of another text is written `$$`.',
  ],
  [{ company: {} }, '.company` must be an object with a comparison, such as {"eq": …}.'],
  [{ company: 'ACME' }, '.company` must be an object with a comparison, such as {"eq": …}.'],
  [
    { company: { in: [] } },
    '.company.in` must be a list with 1 to 1000 of the type String, or a claim that is one, such as "$claims.companies".',
  ],
  [
    { company: { in: ['A', 4] } },
    '.company.in` must be a list with 1 to 1000 of the type String, or a claim that is one, such as "$claims.companies".',
  ],
  [
    { company: { in: 'A' } },
    '.company.in` must be a list with 1 to 1000 of the type String, or a claim that is one, such as "$claims.companies".',
  ],
  [
    { company: { in: '$subject' } },
    '.company.in` must be a list with 1 to 1000 of the type String, or a claim that is one, such as "$claims.companies".',
  ],
  [
    { repairCost: { eq: '$subject' } },
    '.repairCost.eq` must be of the type Float, or a claim such as "$claims.company"; a `$` at the beginning of another text is written `$$`.',
  ],
  [
    { company: { eq: '$claim.company' } },
    '.company.eq` must be of the type String, or a claim such as "$claims.company"; a `$` at the beginning of another text is written `$$`.',
  ],
  [{ company: { contains: 'x'.repeat(501) } }, '.company.contains` must have 500 characters at most.'],
  [
    { company: { eq: 'x', ignoreCase: true } },
    '.company.ignoreCase` needs one of contains, startsWith, endsWith beside it.',
  ],
  [{ company: { isNull: '$claims.x' } }, '.company.isNull` must be true or false.'],
  [
    { repairCost: { gt: '1' } },
    '.repairCost.gt` must be of the type Float, or a claim such as "$claims.company"; a `$` at the beginning of another text is written `$$`.',
  ],
  [
    { status: { eq: 'draft' } },
    '.status.eq` must be of the type DocumentStatus, or a claim such as "$claims.company"; a `$` at the beginning of another text is written `$$`.',
  ],
  [{ status: { gt: 'DRAFT' } }, '.status` has what is not known there, `gt`'],
  [
    { and: [{ company: { eq: 4 } }] },
    '.and.1.company.eq` must be of the type String, or a claim such as "$claims.company"; a `$` at the beginning of another text is written `$$`.',
  ],
  [{ or: [] }, '.or` must be a list with 1 to 1000 filters.'],
  [{ not: {} }, '.not` must be a filter such as {"company": {"eq": "$claims.company"}}.'],
  [{ and: [4] }, '.and.1` must be a filter such as {"company": {"eq": "$claims.company"}}.'],
  [
    { createdAt: { gt: '2026-01-01T00:00:00Z' } },
    '.createdAt` cannot be asked for: a rule compares what a record holds itself, because streams and history decide it without others, the clock and credentials',
  ],
  [
    { id: { eq: 'x' } },
    '.id` cannot be asked for: a rule compares what a record holds itself, because streams and history decide it without others, the clock and credentials',
  ],
  [
    { consumedItems: { some: {} } },
    '.consumedItems` cannot be asked for: a rule compares what a record holds itself, because streams and history decide it without others, the clock and credentials',
  ],
])('the rule %j', (read, problem) => {
  const [first, ...others] = problemsOf(readers(read));
  expect(first?.startsWith(place + problem), first).toBe(true);
  expect(others).toEqual([]);
});

test('links, documents and credentials', () => {
  const all = (types: object) => problemsOf({ a: { scopes: ['*'], types } });
  expect(all({ Quotation: { read: { company: { eq: 'x' } } } })).toEqual([]);
  expect(all({ SigningSignature: { read: { document: { eq: 'x' } } } })[0]).toContain(
    'has what is not known there, `document`',
  );
  expect(all({ JobCardTimeLog: { read: { jobCard: { status: { eq: 'DRAFT' } } } } })[0]).toContain(
    'cannot be asked for',
  );
  expect(all({ CurrencyExchangeSettings: { read: { accessKey: { eq: 'x' } } } })[0]).toContain('cannot be asked for');
  const linked = resources.find(({ kind, links }) => kind === 'resource' && links.length > 0);
  expect(all({ [linked?.model ?? '']: { read: { [linked?.links[0]?.field ?? '']: {} } } })[0]).toContain(
    'cannot be asked for',
  );
});

test('a role that is too large', () => {
  const companies = (count: number) => Array.from({ length: count }, (_, n) => ({ company: { eq: `${n}` } }));
  expect(problemsOf(readers({ or: companies(100) }))).toEqual([]);
  expect(problemsOf(readers({ or: companies(101) }))).toEqual([
    '`reader` is too large: the rules for AssetRepair.read are 101 comparisons together, and 100 are possible; one with a part of a text counts as 10.',
  ]);
  const parts = Array.from({ length: 11 }, () => ({ description: { contains: 'oil' } }));
  expect(problemsOf(readers({ or: parts }))[0]).toContain('are 110 comparisons together');
  expect(problemsOf(readers({}))).toEqual(['`reader.types.AssetRepair.read` is empty; write `true` for every record.']);
  const list = Array.from({ length: 1000 }, (_, n) => `${n}`);
  const lists = (count: number) => readers({ and: Array.from({ length: count }, () => ({ company: { in: list } })) });
  expect(problemsOf(lists(1))).toEqual([]);
  expect(problemsOf(lists(2))).toEqual([
    '`reader` is too large: the rules for AssetRepair.read compare with 2000 values together, and 1000 are possible.',
  ]);
  expect(problemsOf(readers({ company: { in: [...list, 'one more'] } }))[0]).toContain('a list with 1 to 1000');
  for (const levels of [60, 10_000])
    expect(problemsOf(`${'{"a":'.repeat(levels)}4${'}'.repeat(levels)}`)).toEqual([
      'it nests lists and objects in more than 50 levels.',
    ]);
});

test('what is no file, or a huge one, is refused at once', () => {
  const told = (path: string) => {
    const problems: string[] = [];
    readRoles(path, resources, problems);
    return withoutPath(problems, 'ROLES', path);
  };
  const folder = freshFolder();
  const [pipe, huge] = [join(folder, 'pipe'), join(folder, 'huge.json')];
  execFileSync('mkfifo', [pipe]);
  writeFileSync(huge, '{}');
  truncateSync(huge, 20 * 1024 ** 3);
  for (const path of ['/dev/zero', pipe, folder])
    expect(told(path)).toEqual(['it is no file, but a folder, a device or a pipe.']);
  expect(told(huge)).toEqual(['it has more than 16777216 bytes.']);
});

test('every problem is named at once', () => {
  const roles = {
    a: { scopes: ['x', 'y'], types: { AssetRepair: { read: { nothing: {}, company: { eq: 4, ne: 5 } } } } },
    b: 4,
  };
  expect(problemsOf(roles)).toHaveLength(7);
});
