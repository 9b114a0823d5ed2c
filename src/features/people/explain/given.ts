/** What is given as text to explain access: somebody with roles and claims, and the fields that would be set. */
import { nearest } from '../../../common/nearest.js';
import { claimOf, type Grants, noRights } from '../../../gateway/access/grants.js';
import type { Values } from '../../../model/change.js';
import { errors } from '../../../model/errors/errors.js';
import type { Problem } from '../../../model/errors/problem.js';
import { type FieldType, isInt32 } from '../../../model/field.js';
import { isDocumentStatus } from '../../../model/lifecycle.js';
import { wordOf } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';
import type { Explained } from './explain-access.js';

/** A name with a value as text. */
export interface Named {
  name: string;
  value?: string | null | undefined;
}

/** Somebody with these roles. @throws BAD_USER_INPUT for roles that there are not, and claims that are no JSON */
export function personIn({ roles, claims, subject }: GivenPerson, grants: Grants | undefined): Explained {
  const known = grants?.names ?? [];
  const problems: Problem[] = roles.flatMap((role, index) => {
    if (known.includes(role)) return [];
    const meant = nearest(role, known);
    const message = `names no role of this gateway${meant === undefined ? '' : `; did you mean \`${meant}\`?`}`;
    return [{ path: ['as', 'roles', index], code: 'parameter_invalid', message }];
  });
  const given: Record<string, unknown> = {};
  for (const [index, { name, value }] of (claims ?? []).entries()) {
    try {
      given[name] = value == null ? undefined : claimOf(value);
    } catch (error) {
      const message = `is ${error instanceof Error ? error.message : error}`;
      problems.push({ path: ['as', 'claims', index, 'value'], code: 'parameter_invalid', message });
    }
  }
  if (problems.length > 0) throw errors.badInput(problems);
  const person = { subject: subject ?? '', claims: given };
  return { subject: person.subject, ...(grants?.granted(roles, person) ?? { scopes: [], rights: noRights }) };
}

export interface GivenPerson {
  roles: readonly string[];
  claims?: readonly Named[] | null | undefined;
  subject?: string | null | undefined;
}

/** The values of fields that are given as texts. @throws BAD_USER_INPUT for fields that there are not, and values of another type */
export function fieldsGiven(resource: Resource, given: readonly Named[]): Values {
  const values: Values = {};
  const problems = given.flatMap(({ name, value }, index): Problem[] => {
    const field = resource.fields.find((each) => each.name === name);
    const code = 'parameter_invalid';
    if (!field) return [{ path: ['input', index, 'name'], code, message: `names no field of ${resource.model}` }];
    const parsed = value == null ? null : parsedAs(field.type, value);
    if (parsed === undefined)
      return [{ path: ['input', index, 'value'], code, message: `is none of the type ${field.type}` }];
    values[name] = isDocumentStatus(resource, name) ? wordOf(String(parsed)) : parsed;
    return [];
  });
  if (problems.length > 0) throw errors.badInput(problems);
  return values;
}

function parsedAs(type: FieldType, text: string): unknown {
  if (type === 'String') return text;
  if (type === 'Boolean') return text === 'true' || (text === 'false' ? false : undefined);
  const number = text.trim() === '' ? Number.NaN : Number(text);
  return type === 'Int' ? (isInt32(number) ? number : undefined) : Number.isFinite(number) ? number : undefined;
}
