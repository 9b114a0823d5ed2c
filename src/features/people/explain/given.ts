/** What is given as JSON to explain access: somebody with roles and claims, and the fields that would be set. */
import { didYouMean } from '../../../common/nearest.js';
import { noGrants, roleProblems } from '../../../gateway/access/grants.js';
import { columnsOf } from '../../../graphql/types/columns.js';
import type { Values } from '../../../model/change.js';
import { errors } from '../../../model/errors/errors.js';
import { invalid, objectIn, type Problem } from '../../../model/errors/problem.js';
import type { Resource } from '../../../model/resource.js';
import { operandOf } from '../roles/rule.js';
import type { Explained } from './explain-access.js';

export interface GivenPerson {
  roles: readonly string[];
  claims?: string | null | undefined;
  subject?: string | null | undefined;
}

/** Somebody with these roles. @throws BAD_USER_INPUT for roles that there are not, and claims that are no JSON */
export function personIn({ roles, claims, subject }: GivenPerson, grants = noGrants): Explained {
  const problems = roleProblems(roles, grants, ['as', 'roles']);
  const person = { subject: subject ?? '', claims: objectIn(claims, ['as', 'claims'], problems) };
  if (problems.length > 0) throw errors.badInput(problems);
  return { subject: person.subject, keyId: person.subject, ...grants.granted(roles, person) };
}

/** The values of fields. @throws BAD_USER_INPUT for fields that there are not, and values of another type */
export function fieldsGiven(resource: Resource, given: string | null | undefined): Values {
  const problems: Problem[] = [];
  const types = new Map(columnsOf(resource).map(({ name, type }) => [name, type]));
  const fields = Object.entries(objectIn(given, ['input'], problems)).map(([name, value]) => {
    const type = types.get(name);
    const stored = type && operandOf(type, 'eq').nullable().safeParse(value);
    if (!stored)
      problems.push(invalid(['input', name], `is no field of ${resource.model}${didYouMean(name, types.keys())}`));
    else if (stored.error) problems.push(invalid(['input', name], `must be of the type ${type}`));
    return [name, stored?.data];
  });
  if (problems.length > 0) throw errors.badInput(problems);
  return Object.fromEntries(fields);
}
