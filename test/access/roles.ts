/** Roles for tests: the file of a setting ROLES, and what it gives. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ConfigError } from '../../src/common/config-error.js';
import { createGrants, keptGrants } from '../../src/features/people/roles/create-grants.js';
import { readRoles } from '../../src/features/people/roles/read-roles.js';
import type { Claims } from '../../src/gateway/access/grants.js';
import type { RecordModel } from '../../src/model/catalogue.js';
import type { Condition } from '../../src/query/condition.js';
import type { RuledAction } from '../../src/query/rights.js';
import { freshFolder } from '../support/database.js';
import { resources } from '../support/resources.js';

const ofCompany = { company: { eq: '$claims.company' } };

/** The example of docs and issue: technicians see the repairs of their company. */
export const technician = {
  scopes: ['assets:read', 'assets:write', 'assets:submit'],
  types: { AssetRepair: { read: ofCompany, update: ofCompany, submit: ofCompany } },
  hide: { AssetRepair: ['repairCost'] },
};

/** The path of a new file with these roles; a text is written as it is. */
export function rolesFile(roles: unknown, folder = freshFolder()): string {
  const path = join(folder, 'roles.json');
  writeFileSync(path, typeof roles === 'string' ? roles : JSON.stringify(roles));
  return path;
}

/** Problems of the file that a setting names, each without the beginning that all have. */
export const withoutPath = (problems: string[], setting: string, path: string) =>
  problems.map((problem) => {
    const beginning = `${setting} names ${path}, which cannot be used: `;
    expect(problem.slice(0, beginning.length)).toBe(beginning);
    return problem.slice(beginning.length);
  });

/** @throws ConfigError for a file that is not right */
export function grantsIn(roles: object, kept = keptGrants()) {
  const problems: string[] = [];
  const read = readRoles(rolesFile(roles), resources, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return createGrants(read, kept);
}

export function resourceOf(model: RecordModel) {
  const resource = resources.find((each) => each.model === model);
  if (!resource) throw new Error(`There is no ${model}`);
  return resource;
}

/** The condition that roles, all of them by default, give somebody with these claims. */
export function ruleOf(
  roles: object,
  claims: Claims = {},
  action: RuledAction = 'read',
  model: RecordModel = 'AssetRepair',
  subject = 'key:brg_1',
): Condition {
  return grantsIn(roles).granted(Object.keys(roles), { subject, claims }).rights.rule(resourceOf(model), action);
}

/** One role that may read repairs as this rule says. */
export const readers = (read: unknown, scopes = ['assets:read']) => ({
  reader: { scopes, types: { AssetRepair: { read } } },
});
