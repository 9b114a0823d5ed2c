/** Reads the file of roles, and checks all of it: every name, every filter, every problem at once. */
import { hash } from 'node:crypto';
import { ConfigError } from '../../../common/config-error.js';
import { isObject } from '../../../common/is-object.js';
import { readJson } from '../../../common/read-json.js';
import { readTextFile } from '../../../common/read-text-file.js';
import { isRoleName } from '../../../gateway/access/grants.js';
import type { Area } from '../../../model/catalogue.js';
import type { Resource } from '../../../model/resource.js';
import { hasScope, knownScopes, requiredScopes, type Scope, verbsOfArea } from '../../../model/scopes.js';
import { type RuledAction, ruledActionOf, ruledActions } from '../../../query/rights.js';
import { checkRule, isNone, type Objecting, type RoleRule } from './rule.js';

export interface Role {
  name: string;
  scopes: readonly Scope[];
  /** By the names of types. What is refused has no rule. */
  rules: ReadonlyMap<string, Readonly<Partial<Record<RuledAction, RoleRule>>>>;
  /** The hidden fields of types. */
  hidden: ReadonlyMap<string, readonly string[]>;
  /** What its rules ask of a caller: `subject`, `claims.company`. */
  asked: ReadonlySet<string>;
  /** The areas of the types that it names. */
  areas: ReadonlySet<Area>;
  /** Of all that the file says of it. */
  digest: string;
}

/** The areas in which a role may do something, and sees nothing, because it names none of their types. */
export const areasWithoutTypes = ({ scopes, areas }: Role): Area[] =>
  [...verbsOfArea.keys()].filter(
    (area) => !areas.has(area) && scopes.some((scope) => scope === '*' || scope.startsWith(`${area}:`)),
  );

/** @throws ConfigError with everything that is wrong with the file */
export function readRoles(path: string, resources: readonly Resource[]): Role[] {
  const problems: string[] = [];
  const object: Objecting = (place, problem) => void problems.push(`${place} ${problem}`);
  const roles = Object.entries(rolesIn(path, problems)).map(([name, given]) => {
    if (!isRoleName(name))
      object(JSON.stringify(name), 'is no name of a role: 1 to 100 characters, without spaces and commas');
    return roleOf(name, given, resources, object);
  });
  if (problems.length === 0) return roles;
  throw new ConfigError(
    problems.map((problem) => `ROLES names ${path}, which cannot be used: ${problem}.`.replace(/\?\.$/, '?')),
  );
}

function rolesIn(path: string, problems: string[]): object {
  try {
    const roles = readJson(readTextFile(path));
    if (isObject(roles)) return roles;
    problems.push('it must be an object of roles by their names, {"technician": {"scopes": […], "types": {…}}}');
  } catch (error) {
    problems.push(String(error instanceof Error ? error.message : error));
  }
  return {};
}

const members = ['scopes', 'types', 'hide'];

function roleOf(name: string, given: unknown, resources: readonly Resource[], object: Objecting): Role {
  const byName = new Map(resources.map((resource) => [String(resource.model), resource]));
  /** What the file says of each of some types. */
  const perType = (member: string, says: (resource: Resource, value: unknown, place: string) => void) => {
    for (const [type, value] of Object.entries(objectAt(role[member] ?? {}, `${name}.${member}`, object))) {
      const resource = byName.get(type);
      const place = `${name}.${member}.${type}`;
      if (resource) says(resource, value, place);
      else object(place, isNone('type of records', type, byName.keys()));
    }
  };
  const role = objectAt(given, name, object);
  for (const member of Object.keys(role))
    if (!members.includes(member)) object(`${name}.${member}`, isNone('part of a role', member, members));
  const scopes = scopesIn(role.scopes, `${name}.scopes`, object);
  const asked = new Set<string>();
  const rules = new Map<string, Partial<Record<RuledAction, RoleRule>>>();
  const areas = new Set<Area>();
  perType('types', (resource, value, place) => {
    areas.add(resource.area);
    rules.set(resource.model, rulesOfType(resource, value, place, scopes, asked, object));
  });
  const hidden = new Map<string, string[]>();
  perType(
    'hide',
    (resource, value, place) => void hidden.set(resource.model, hiddenIn(resource, value, place, object)),
  );
  return { name, scopes, rules, hidden, asked, areas, digest: hash('sha256', JSON.stringify([name, given])) };
}

function objectAt(value: unknown, place: string, object: Objecting): Record<string, unknown> {
  if (isObject(value)) return value;
  object(place, 'must be an object');
  return {};
}

function scopesIn(value: unknown, place: string, object: Objecting): Scope[] {
  if (!Array.isArray(value)) object(place, 'must be a list of scopes, such as ["assets:read"]');
  return listIn(value).flatMap((each, index) => {
    const scope = knownScopes.find((known) => known === each);
    if (scope === undefined) object(`${place}.${index + 1}`, isNone('scope', String(each), knownScopes));
    return scope ?? [];
  });
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function rulesOfType(
  resource: Resource,
  value: unknown,
  place: string,
  scopes: readonly Scope[],
  asked: Set<string>,
  object: Objecting,
): Partial<Record<RuledAction, RoleRule>> {
  const rules: Partial<Record<RuledAction, RoleRule>> = {};
  const given = objectAt(value, place, object);
  if (resource.kind === 'child' && resource.lineTypesOfAnyRecord.length === 0) {
    const documents = resource.parents.map((parent) => parent.resource.model).join(' or ');
    object(
      place,
      `has no rules of its own: its records are lines, which follow their ${documents}; give that the rules`,
    );
    return rules;
  }
  const own = ruledActions.filter((action) => resource.operations.some((each) => ruledActionOf[each] === action));
  for (const [name, filter] of Object.entries(given)) {
    const there = `${place}.${name}`;
    const action = own.find((each) => each === name);
    if (!action) {
      object(there, `is no action of ${resource.model}, which has ${own.join(', ')}`);
      continue;
    }
    const missing = scopesFor(resource, action).filter((scope) => !hasScope({ scopes }, scope));
    if (missing.length > 0 && filter !== false)
      object(
        there,
        `needs the scope \`${missing.join('` and `')}\`, which the role does not have; add it, or leave this out`,
      );
    if (filter === false) continue;
    if (filter === true) rules[action] = { resource, filter: {} };
    else if (isObject(filter)) rules[action] = checkRule(resource, filter, there, asked, object);
    else object(there, 'must be true, false, or a filter such as {"company": {"eq": "$claims.company"}}');
  }
  return rules;
}

/** The scopes without which a rule about an action does not count. */
export const scopesFor = (resource: Resource, action: RuledAction): Scope[] =>
  requiredScopes(resource, action === 'read' ? 'retrieve' : action);

function hiddenIn({ model, fields }: Resource, value: unknown, place: string, object: Objecting): string[] {
  if (!Array.isArray(value)) object(place, 'must be a list of fields');
  const nullable = fields.filter((field) => field.nullable).map(({ name }) => name);
  return listIn(value).flatMap((each, index) => {
    const name = nullable.find((known) => known === each);
    if (name !== undefined) return [name];
    const isOther = ['id', 'version', 'createdAt', 'updatedAt', ...fields.map((field) => field.name)].some(
      (known) => known === each,
    );
    object(
      `${place}.${index + 1}`,
      isOther
        ? `(\`${each}\`) cannot be hidden: the schema promises clients that it is never null`
        : isNone(`field of ${model} that can be hidden`, String(each), nullable),
    );
    return [];
  });
}
