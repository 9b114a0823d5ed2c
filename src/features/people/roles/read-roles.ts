/** Reads the file of roles, and checks all of it: every name, every filter, every problem at once. */
import { hash } from 'node:crypto';
import { ConfigError } from '../../../common/config-error.js';
import { isObject } from '../../../common/is-object.js';
import { readJson } from '../../../common/read-json.js';
import { readTextFile } from '../../../common/read-text-file.js';
import { isRoleName } from '../../../gateway/access/grants.js';
import { authorColumns, type Resource } from '../../../model/resource.js';
import { hasScope, knownScopes, requiredScopes, type Scope } from '../../../model/scopes.js';
import { type RuledAction, ruledActionOf, ruledActions } from '../../../query/rights.js';
import { checkRule, comparedIn, isNone, type Objecting, type RoleRule } from './rule.js';

export interface Role {
  name: string;
  scopes: readonly Scope[];
  /** By the names of types. What is refused has no rule. */
  rules: ReadonlyMap<string, RulesOfType>;
  /** The hidden fields of types. */
  hidden: ReadonlyMap<string, readonly string[]>;
  /** What its rules ask of a caller: `subject`, `claims.company`. */
  asked: ReadonlySet<string>;
  /** Of all that the file says of it. */
  digest: string;
}

export type RulesOfType = Partial<Record<RuledAction, RoleRule>>;

/** @throws ConfigError with everything that is wrong with the file */
export function readRoles(path: string, resources: readonly Resource[]): Role[] {
  const problems: string[] = [];
  const object: Objecting = (place, problem) => void problems.push(`${place} ${problem}`);
  const roles = Object.entries(rolesIn(path, problems)).map(([name, given]) => {
    if (!isRoleName(name))
      object(JSON.stringify(name), 'is no name of a role: 1 to 100 characters, without spaces and commas');
    return roleOf(name, given, resources, object);
  });
  checkHidden(roles, resources, object);
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
  const role = objectAt(given, name);
  const asked = new Set<string>();
  for (const member of Object.keys(role))
    if (!members.includes(member)) object(`${name}.${member}`, isNone('part of a role', member, members));
  const scopes = listAt(role.scopes, `${name}.scopes`, 'scopes', (each, place) => {
    const scope = knownScopes.find((known) => known === each);
    return scope ?? object(place, isNone('scope', String(each), knownScopes));
  });
  const rules = new Map<string, RulesOfType>(
    perType('types').map(([resource, ...said]) => [resource.model, rulesIn(resource, ...said)]),
  );
  const hidden = new Map<string, string[]>(
    perType('hide').map(([resource, ...said]) => [resource.model, hiddenIn(resource, ...said)]),
  );
  return { name, scopes, rules, hidden, asked, digest: hash('sha256', JSON.stringify([name, given])) };

  function objectAt(value: unknown, place: string): Record<string, unknown> {
    if (isObject(value)) return value;
    object(place, 'must be an object');
    return {};
  }

  function listAt<Item>(
    value: unknown,
    place: string,
    of: string,
    itemOf: (each: unknown, place: string) => Item | undefined,
  ) {
    if (!Array.isArray(value)) object(place, `must be a list of ${of}`);
    return (Array.isArray(value) ? value : []).flatMap((each, index) => itemOf(each, `${place}.${index + 1}`) ?? []);
  }

  /** What a member says of some types. */
  function perType(member: string): [Resource, unknown, string][] {
    return Object.entries(objectAt(role[member] ?? {}, `${name}.${member}`)).flatMap(([type, value]) => {
      const resource = byName.get(type);
      const place = `${name}.${member}.${type}`;
      if (!resource) object(place, isNone('type of records', type, byName.keys()));
      return resource ? [[resource, value, place]] : [];
    });
  }

  function rulesIn(resource: Resource, value: unknown, at: string): RulesOfType {
    const rules: RulesOfType = {};
    if (resource.kind === 'child' && resource.lineTypesOfAnyRecord.length === 0) {
      const documents = resource.parents.map((parent) => parent.resource.model).join(' or ');
      object(
        at,
        `has no rules of its own: its records are lines, which follow their ${documents}; give that the rules`,
      );
      return rules;
    }
    const own = ruledActions.filter((action) => resource.operations.some((each) => ruledActionOf[each] === action));
    for (const [word, filter] of Object.entries(objectAt(value, at))) {
      const place = `${at}.${word}`;
      const action = own.find((each) => each === word);
      if (!action) object(place, `is no action of ${resource.model}, which has ${own.join(', ')}`);
      if (!action || filter === false) continue;
      const missing = requiredScopes(resource, action === 'read' ? 'retrieve' : action).filter(
        (scope) => !hasScope({ scopes }, scope),
      );
      if (missing.length > 0)
        object(place, `needs the scope \`${missing}\`, which the role does not have; add it, or leave this out`);
      if (filter === true) rules[action] = { resource, filter: {}, text: 'true' };
      else if (isObject(filter)) rules[action] = checkRule(resource, filter, place, asked, object);
      else object(place, 'must be true, false, or a filter such as {"company": {"eq": "$claims.company"}}');
    }
    return rules;
  }

  function hiddenIn(resource: Resource, value: unknown, at: string): string[] {
    const known = resource.fields.map((field) => field.name);
    return listAt(value, at, 'fields', (each, place) => {
      if (neverHidden(resource).includes(String(each)))
        return object(place, `(\`${each}\`) cannot be hidden: it says which record this is, whose, and in which state`);
      const field = known.find((name) => name === each);
      return field ?? object(place, isNone(`field of ${resource.model}`, String(each), known));
    });
  }
}

const neverHidden = ({ documentLike, parents }: Resource): string[] => [
  ...['id', 'version', 'createdAt', 'updatedAt', ...authorColumns, 'idx', 'parentId', 'parentType'],
  ...(documentLike ? ['status'] : []),
  ...parents.map(({ reference }) => reference),
];

/**
 * Objects to hidden fields that rules compare, because the records that are shown would tell them, and to those that creates of
 * the same role need.
 */
function checkHidden(roles: readonly Role[], resources: readonly Resource[], object: Objecting): void {
  for (const { name, hidden, rules } of roles)
    for (const resource of resources)
      for (const field of hidden.get(resource.model) ?? []) {
        const problem = (why: string) =>
          object(`${name}.hide.${resource.model}`, `(\`${field}\`) cannot be hidden: ${why}`);
        for (const other of roles)
          for (const [action, rule] of Object.entries(other.rules.get(resource.model) ?? {}))
            if (comparedIn(rule.filter).includes(field))
              problem(
                `${other.name}.types.${resource.model}.${action} compares it, so the records that are shown would tell its value`,
              );
        const creates = creatingRule(resource, rules);
        if (creates && resource.fields.some((each) => each.name === field && each.required))
          problem(`a new ${resource.title} needs it, and ${name}.types.${creates} lets the role create some`);
      }
}

/** The rule by which a role creates records of a type. Lines are created with their document and by its changes. */
function creatingRule({ model, kind, parents }: Resource, rules: Role['rules']): string | undefined {
  const created = kind === 'child' ? [model, ...parents.map((parent) => parent.resource.model)] : [model];
  const ways = created.flatMap((type) => [`${type}.create`, ...(type === model ? [] : [`${type}.update`])]);
  return ways.find((way) => {
    const [type = '', action] = way.split('.');
    return Object.keys(rules.get(type) ?? {}).some((each) => each === action);
  });
}
