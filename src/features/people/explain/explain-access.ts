/**
 * Why somebody may do something with a record, or may not. It is decided by what decides a write that was refused, about the
 * record as one statement reads it through the views of whoever asks: what is hidden from them is missing here too.
 */

import type { Identity } from '../../../change/context.js';
import { allowedFor, requireCreated, updateActions } from '../../../change/limit-plan.js';
import { parentResource, refuseRows, requiredParent } from '../../../change/refusals.js';
import { storedRecordReader } from '../../../change/statements/stored-record.js';
import { newRow, type StoredRecord, valuesOf } from '../../../change/values.js';
import { withoutHidden } from '../../../change/writes/requested-write.js';
import type { MaybePromise } from '../../../common/maybe-promise.js';
import { didYouMean } from '../../../common/nearest.js';
import type { Rows } from '../../../common/work.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import { placeholders } from '../../../database/statement-builder.js';
import { noGrants, type Person, roleProblems } from '../../../gateway/access/grants.js';
import { columnsOf } from '../../../graphql/types/columns.js';
import type { Values } from '../../../model/change.js';
import { errors } from '../../../model/errors/errors.js';
import { GatewayError } from '../../../model/errors/gateway-error.js';
import { invalid, objectIn, type Problem } from '../../../model/errors/problem.js';
import { openStatuses, shownInGraphql, transitions } from '../../../model/lifecycle.js';
import { type Resource, scopeOf, singletonId } from '../../../model/resource.js';
import { type Holder, hasScope, requiredScopes, requireScopes } from '../../../model/scopes.js';
import type { Condition } from '../../../query/condition.js';
import { matches } from '../../../query/matches.js';
import type { RuledAction } from '../../../query/rights.js';
import { type RuleOfRole, rulesOf } from '../roles/create-grants.js';
import { operandOf } from '../roles/rule.js';

export interface Explanation {
  allowed: boolean;
  /** Why not, as the refusal says; null where it is allowed. */
  reason: string | null;
  missingScopes: string[];
  rules: ExplainedRule[];
}

/** What one role says of the action with the record that decides: of a line held here it is its document. */
export interface ExplainedRule extends Pick<RuleOfRole, 'role' | 'rule'> {
  /** Whether the record fulfils it as it is; null where none is there for whoever asks. */
  before: boolean | null;
  /** The same of the record as it would become; null where it stays as it is. */
  after: boolean | null;
  /** What it asks of the caller and cannot use, and the comparisons that are false. */
  failed: string[];
}

export interface AskedAccess {
  resource: Resource;
  /** Left out for a new record, and for the only one of its type. */
  id?: string | null | undefined;
  action: RuledAction;
  /** The fields that would be set. */
  input: Values;
}

/** Whose access is explained. Without rights it is a key that its scopes alone limit. */
export type Explained = Holder & Pick<Person, 'subject'> & Pick<Identity, 'rights'>;

export interface Explaining {
  provider: Provider;
  /** Reads what whoever asks may see. */
  read(sql: string, values: readonly string[]): MaybePromise<Rows>;
  /** LOCK_SUBMITTED */
  locksSubmitted: boolean;
}

/** @throws BAD_USER_INPUT for an action that the type does not have, and where the id is missing */
export async function explainAccess(
  explaining: Explaining,
  { resource, id, action, input }: AskedAccess,
  who: Explained,
): Promise<Explanation> {
  const operation = action === 'read' ? 'retrieve' : action;
  if (!resource.operations.includes(operation)) throw errors.invalidAt(['action'], `is none of ${resource.model}`);
  const parentId = action === 'create' && resource.kind === 'child' ? String(input[scopeOf(resource)]) : undefined;
  const only = resource.kind === 'singleton' ? singletonId(resource) : undefined;
  const named = action === 'create' ? parentId : (id ?? only);
  if (named === undefined && action !== 'create') throw errors.invalidAt(['id'], 'is required to explain this action');
  const stored = parentId === undefined ? resource : parentResource(resource, parentId);
  const found = stored && named !== undefined ? await decidingRecord(explaining, stored, named) : undefined;
  const decided = found?.resource ?? requiredParent(resource)?.resource ?? resource;
  const change = changeOf(resource, decided, action, input, who.subject);
  const { actions, values, statuses } = change;
  const scopes = requiredScopes(resource, operation, { input });
  // What the request would be refused with. Whether its input is right in itself is not asked.
  let reason: string | null = null;
  try {
    requireScopes(who, scopes);
    if (who.rights) withoutHidden(who.rights, resource, { input }, action === 'create');
    if (!found && !actions.includes('create')) throw errors.notFound((stored ?? resource).title, named ?? '');
    if (found) {
      const isLocked = explaining.locksSubmitted && decided.documentLike && action !== 'read';
      // Of an update of which nothing is said, it is asked whether any is possible.
      const locked = isLocked ? (Object.keys(values).length > 0 ? 'fields' : 'whole') : undefined;
      const allowed = who.rights && allowedFor(who.rights, decided, actions);
      const row = { id: found.present.id, values, statuses };
      refuseRows({ resource: decided, rows: [row], allowed, locked }, [row], [found.present]);
    } else if (who.rights && stored && parentId !== undefined) throw errors.notAllowed(resource.title, ['create']);
    else if (who.rights) requireCreated(who.rights, { resource, rows: [values] });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    reason = error.message;
  }
  const rules = actions.flatMap((each) =>
    rulesOf(who.rights, decided, each).map((rule) => explainedRule(rule, decided, change, found?.present.values)),
  );
  const missingScopes = scopes.filter((scope) => !hasScope(who, scope));
  return { allowed: reason === null, reason, missingScopes, rules };
}

/** What is done with the record that decides. */
interface Change {
  actions: readonly RuledAction[];
  /** What it gets. */
  values: Values;
  /** The states in which that is possible. */
  statuses?: readonly string[] | undefined;
}

function changeOf(resource: Resource, decided: Resource, action: RuledAction, input: Values, author: string): Change {
  // To change a line is to change its document.
  if (decided !== resource) return { actions: [action === 'read' ? 'read' : 'update'], values: {} };
  switch (action) {
    case 'create':
      return { actions: [action], values: newRow(resource, input, resource.timestamps ? { createdBy: author } : {}) };
    case 'update': {
      const values = valuesOf(resource, input);
      return { actions: updateActions(resource, values), values, statuses: openStatuses(resource, values) };
    }
    case 'submit':
    case 'cancel': {
      const { from, to } = transitions[action];
      return { actions: [action], values: { status: to }, statuses: [from] };
    }
    default:
      return { actions: [action], values: {} };
  }
}

/** The document of a line, where it is held here, or else the record itself; undefined where none is there for whoever asks. */
async function decidingRecord(
  { provider, read }: Explaining,
  resource: Resource,
  id: string,
): Promise<{ resource: Resource; present: StoredRecord } | undefined> {
  const given = placeholders[provider].bound(1);
  const documents = resource.parents.map(({ reference, resource: document }) => {
    return { decides: document, has: `(SELECT "${reference}" FROM "${resource.model}" WHERE "id" = ${given})` };
  });
  for (const { decides, has } of [...documents, { decides: resource, has: given }]) {
    const names = [...decides.fields.map(({ name }) => name), ...(decides.timestamps ? ['createdBy'] : [])];
    const columns = ['id', 'version', ...names].map((name) => `"${name}"`).join(', ');
    const [row] = await read(`SELECT ${columns} FROM "${decides.model}" WHERE "id" = ${has}`, [id]);
    if (row) return { resource: decides, present: storedRecordReader(decides, names)(row) };
  }
  return undefined;
}

function explainedRule(
  { role, rule, condition, whyNever }: RuleOfRole,
  resource: Resource,
  { actions, values }: Change,
  present: Values | undefined,
): ExplainedRule {
  const becomes = present ? Object.keys(values).length > 0 : actions.includes('create');
  const after = becomes ? { ...present, ...values } : undefined;
  const holds = (record: Values | undefined) => (record ? matches(condition, record) : null);
  const failed = new Set([
    ...whyNever,
    ...(present ? failedIn(condition, resource, present) : []),
    ...(after ? failedIn(condition, resource, after, values) : []),
  ]);
  return { role, rule, before: holds(present), after: holds(after), failed: [...failed] };
}

/** The comparisons that are false of a record, with what it has instead. */
function failedIn(condition: Condition, resource: Resource, record: Values, changed: Values = {}): string[] {
  if (matches(condition, record)) return [];
  if ('of' in condition) return condition.of.flatMap((each) => failedIn(each, resource, record, changed));
  if (!('field' in condition)) return [];
  const { field } = condition;
  const shown = (value: unknown) => JSON.stringify(value, (_, each) => shownInGraphql(resource, field, each));
  const found = `it ${field in changed ? 'would be' : 'is'} ${shown(record[field] ?? null)}`;
  switch (condition.kind) {
    case 'compare':
      return [`${field} ${condition.operator} ${shown(condition.value)}: ${found}`];
    case 'in':
      return [`${field} ${condition.isNot ? 'notIn' : 'in'} ${shown(condition.values)}: ${found}`];
    case 'part':
      return [`${field} ${condition.isNot ? 'not ' : ''}${condition.operator} ${shown(condition.part.text)}: ${found}`];
    default:
      return [`${field} isNull ${condition.kind === 'null' && !condition.isNot}: ${found}`];
  }
}

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
