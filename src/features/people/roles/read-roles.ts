/** Reads the file of roles, and checks all of it: every name, every filter, every problem at once. */
import { hash } from 'node:crypto';
import * as z from 'zod';
import { isObject } from '../../../common/is-object.js';
import { oncePer } from '../../../common/kept.js';
import { formed, type Objecting, objectingTo, readForm } from '../../../common/read-form.js';
import { isRoleName } from '../../../gateway/access/grants.js';
import { authorColumns, type Resource } from '../../../model/resource.js';
import { hasScope, knownScopes, requiredScopes, type Scope } from '../../../model/scopes.js';
import { never } from '../../../query/condition.js';
import { columnsIn } from '../../../query/matches.js';
import { type RuledAction, ruledActionOf, ruledActions } from '../../../query/rights.js';
import { type RoleRule, readRule, tooLarge } from './rule.js';

export interface Role {
  name: string;
  scopes: readonly Scope[];
  /** What is refused has no rule. */
  rules: readonly RoleRule[];
  /** The hidden fields by the names of types. */
  hidden: ReadonlyMap<string, readonly string[]>;
  /** Of all that the file says of it. */
  digest: string;
}

/** The roles of the file; adds everything that is wrong with it to `problems`. */
export function readRoles(path: string, resources: readonly Resource[], problems: string[]): Role[] {
  const object = objectingTo('ROLES', path, problems);
  const file = readForm(path, z.record(z.string(), z.unknown(), mustBeRoles), object) ?? {};
  formed(formOfFile(resources), file, [], object);
  const roles = Object.entries(file).map(([name, given]) => roleOf(name, given, resources, object));
  checkHidden(roles, resources, object);
  return roles;
}

const mustBeRoles = 'it must be an object of roles by their names: {"technician": {"scopes": […], "types": {…}}}';

/** All names in a file of roles; what is in a rule has a form of its own. */
const formOfFile = oncePer((resources: readonly Resource[]) => {
  const perType = (formOf: (resource: Resource) => z.ZodType) =>
    z.strictObject(Object.fromEntries(resources.map((each) => [each.model, formOf(each).optional()]))).optional();
  const types = perType((resource) => {
    const actions = actionsOf(resource).map((action) => [action, z.unknown().optional()]);
    return actions.length > 0 ? z.strictObject(Object.fromEntries(actions)) : z.never(isLine);
  });
  const hide = perType((resource) => z.array(z.enum(hideable(resource))));
  return z.record(
    z.string().refine(isRoleName, 'is no name of a role: 1 to 100 characters, without spaces and commas'),
    z.strictObject({ scopes: z.array(z.enum(knownScopes)), types, hide }),
  );
});

const isLine = 'has no rules of its own: its records are lines, which follow their document; give that the rules';

/** The actions for which a type has rules; lines follow their document, where it is held here. */
const actionsOf = ({ kind, lineTypesOfAnyRecord, operations }: Resource): RuledAction[] =>
  kind === 'child' && lineTypesOfAnyRecord.length === 0
    ? []
    : ruledActions.filter((action) => operations.some((each) => ruledActionOf[each] === action));

/** All fields but those that say which record it is, whose lines and in which state. */
function hideable({ documentLike, parents, fields }: Resource): string[] {
  const kept = ['id', 'version', 'createdAt', 'updatedAt', ...authorColumns, 'idx', 'parentId', 'parentType'];
  const others = [...(documentLike ? ['status'] : []), ...parents.map(({ reference }) => reference)];
  return fields.map(({ name }) => name).filter((name) => !kept.includes(name) && !others.includes(name));
}

/** What of a role has the right names; of the rest the form of the file says what is wrong. */
function roleOf(name: string, given: unknown, resources: readonly Resource[], object: Objecting): Role {
  const isIn = (list: unknown) => (each: string) => Array.isArray(list) && list.includes(each);
  const scopes = knownScopes.filter(isIn(memberOf(given, 'scopes')));
  const hidden = resources.map((each) => {
    const fields = hideable(each).filter(isIn(memberOf(memberOf(given, 'hide'), each.model)));
    return [each.model, fields] as const;
  });
  const rules = resources.flatMap((resource) =>
    actionsOf(resource).flatMap((action) => {
      const filter = memberOf(memberOf(memberOf(given, 'types'), resource.model), action);
      const place = [name, 'types', resource.model, action];
      if (filter === undefined || (filter === false && action !== 'read')) return [];
      // What a role says it does not show it does not change, whatever others show.
      if (filter === false) return { resource, action, place, text: 'false', asked: [], condition: never };
      const needed = requiredScopes(resource, action === 'read' ? 'retrieve' : action);
      const missing = needed.filter((scope) => !hasScope({ scopes }, scope));
      if (missing.length > 0)
        object(`\`${place.join('.')}\` needs the scope \`${missing}\`; add it, or leave this out`);
      return readRule({ resource, action, place }, filter, object) ?? [];
    }),
  );
  const large = tooLarge(rules);
  if (large) object(`\`${name}\` is too large: ${large}`);
  const digest = hash('sha256', JSON.stringify([name, given]));
  return { name, scopes, rules, hidden: new Map(hidden.filter(([, fields]) => fields.length > 0)), digest };
}

const memberOf = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/**
 * Objects to hidden fields that rules compare, because the records that are shown would tell them, and to those that creates of
 * the same role need. Lines are created with their document, and by its changes.
 */
function checkHidden(roles: readonly Role[], resources: readonly Resource[], object: Objecting): void {
  for (const { name, hidden, rules } of roles)
    for (const { model, title, parents, fields } of resources)
      for (const field of hidden.get(model) ?? []) {
        const refuse = ({ place }: RoleRule, why: string) =>
          object(`\`${name}.hide.${model}\` cannot hide \`${field}\`: \`${place.join('.')}\` ${why}`);
        for (const rule of roles.flatMap((role) => role.rules))
          if (rule.resource.model === model && columnsIn(rule.condition).includes(field))
            refuse(rule, 'compares it, so the records that are shown would tell its value');
        const documents = parents.map((parent) => parent.resource.model);
        const creates = rules.find(({ resource, action }) =>
          documents.includes(resource.model)
            ? /create|update/.test(action)
            : resource.model === model && action === 'create',
        );
        if (creates && fields.some((each) => each.name === field && each.required))
          refuse(creates, `lets the role create some ${title}, which needs it`);
      }
}
