/**
 * Why somebody may do something with a record, or may not. It is decided by what decides a write that was refused, about the
 * record as one statement reads it through the views of whoever asks: what is hidden from them is missing here too.
 */

import { allowedFor, updateActions } from '../../../change/limit-plan.js';
import { parentResource, refuseRows, requiredParent } from '../../../change/refusals.js';
import { storedRecordReader } from '../../../change/statements/stored-record.js';
import { newRow, type StoredRecord, valuesOf } from '../../../change/values.js';
import type { MaybePromise } from '../../../common/maybe-promise.js';
import type { Rows } from '../../../common/work.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import { StatementBuilder } from '../../../database/statement-builder.js';
import type { RecordOperation } from '../../../model/catalogue.js';
import type { Values } from '../../../model/change.js';
import { errors } from '../../../model/errors/errors.js';
import { GatewayError } from '../../../model/errors/gateway-error.js';
import { openStatuses, shownInGraphql, transitions } from '../../../model/lifecycle.js';
import { withArticle } from '../../../model/names.js';
import { type Resource, scopeOf } from '../../../model/resource.js';
import { type Holder, hasScope, isPerson, requiredScopes, type Scope } from '../../../model/scopes.js';
import type { Condition } from '../../../query/condition.js';
import { columnsIn, matches } from '../../../query/matches.js';
import { type Rights, type RuledAction, ruledActionOf, ruledActions } from '../../../query/rights.js';
import { type RuleOfRole, rulesOf } from '../roles/create-grants.js';

export interface Explanation {
  /** Why it is refused, as the refusal says; undefined where it is allowed. */
  reason: string | undefined;
  missingScopes: readonly Scope[];
  rules: readonly ExplainedRule[];
}

/** What one role says of an action, and of that of reading, which is a part of each. */
export interface ExplainedRule extends Omit<RuleOfRole, 'condition'> {
  /** Of the record that decides: of a line held here it is its document. */
  resource: Resource;
  action: RuledAction;
  /** Of the record as it is; undefined where none is there for whoever asks. */
  before: Outcome | undefined;
  /** Of the record as it would become; undefined where it stays as it is. */
  after: Outcome | undefined;
}

export interface Outcome {
  holds: boolean;
  /** The comparisons that are false, where it does not hold. */
  failed: { field: string; operator: string; asked: unknown; found: unknown }[];
}

export interface AskedAccess {
  resource: Resource;
  /** Undefined for a new record. */
  id: string | undefined;
  action: RecordOperation;
  /** The fields that would be set. */
  input: Values;
}

/** Whose access is explained. */
export interface Explained extends Holder {
  /** As rules name it: `$subject`. */
  subject: string;
  /** Undefined for a key that its scopes alone limit. */
  rights: Rights | undefined;
}

export interface Explaining {
  provider: Provider;
  /** Reads what whoever asks may see. */
  read(sql: string, values: readonly string[]): MaybePromise<Rows>;
  /** LOCK_SUBMITTED */
  locksSubmitted: boolean;
}

/** What decides: a record, or the document of a line. */
interface Deciding {
  resource: Resource;
  present: StoredRecord | undefined;
  actions: readonly RuledAction[];
  /** What the record would get. */
  values: Values;
  /** Whether lines of it would change, and not the record itself. */
  isOfLines: boolean;
}

export async function explainAccess(explaining: Explaining, asked: AskedAccess, who: Explained): Promise<Explanation> {
  const { resource, action, input } = asked;
  const missingScopes = requiredScopes(resource, action, { input }).filter((scope) => !hasScope(who, scope));
  const deciding = await decidingRecord(explaining, asked, who);
  const refusal = refusalOf(explaining, asked, deciding, who, missingScopes);
  const rules = [...new Set<RuledAction>(['read', ...deciding.actions])].flatMap((each) =>
    rulesOf(who.rights, deciding.resource, each).map((rule) => explained(rule, each, deciding)),
  );
  return { reason: refusal?.message, missingScopes, rules };
}

/** The refusal that the request would get. Whether the input is right in itself is not asked. */
function refusalOf(
  { locksSubmitted }: Explaining,
  { resource, id, action, input }: AskedAccess,
  { resource: decided, present, actions, values, isOfLines }: Deciding,
  who: Explained,
  missing: readonly Scope[],
): Pick<GatewayError, 'message'> | undefined {
  try {
    if (!resource.operations.includes(action))
      return { message: `There is no action ${action} of ${withArticle(resource.title)}.` };
    if (missing.length > 0) return errors.forbidden(missing, isPerson(who.subject), who.whyNone);
    const hidden = Object.keys(input).find((name) => input[name] != null && who.rights?.hidden(resource).has(name));
    if (hidden) return errors.hiddenField(`input.${hidden}`);
    const allowed = who.rights && allowedFor(who.rights, decided, actions);
    if (action === 'create' && !isOfLines)
      return !allowed || matches(allowed.rule, values) ? undefined : errors.notAllowed(resource.title, ['create']);
    const named = isOfLines && action === 'create' ? String(input[scopeOf(resource)]) : (id ?? '');
    if (!present) return errors.notFound(isOfLines && action === 'create' ? decided.title : resource.title, named);
    const row = { id: present.id, values, statuses: statusesOf(decided, action, values, isOfLines) };
    const isLocked = locksSubmitted && decided.documentLike && actions.some((each) => each !== 'read');
    // Of an update of which nothing is said, it is asked whether any is possible.
    const isWhole = isOfLines || Object.keys(values).length === 0;
    const locked = isLocked ? (isWhole ? 'whole' : 'fields') : undefined;
    refuseRows({ resource: decided, rows: [row], allowed, locked }, [row], [present]);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function statusesOf(resource: Resource, action: RecordOperation, values: Values, isOfLines: boolean) {
  if (isOfLines) return undefined;
  if (action === 'submit' || action === 'cancel') return [transitions[action].from];
  return action === 'update' ? openStatuses(resource, values) : undefined;
}

async function decidingRecord(explaining: Explaining, asked: AskedAccess, who: Explained): Promise<Deciding> {
  const { resource, action, input } = asked;
  const ofLine = action === 'retrieve' ? 'read' : 'update';
  const [own, ...documents] = await presentRecords(explaining, asked, who);
  const document = documents.find(({ present }) => present) ?? requiredParent(resource);
  if (document) {
    const present = 'present' in document ? document.present : undefined;
    return { resource: document.resource, present, actions: [ofLine], values: {}, isOfLines: true };
  }
  const present = own?.present;
  if (action === 'create') {
    const values = newRow(resource, input, resource.timestamps ? { createdBy: who.subject } : {});
    return { resource, present, actions: ['create'], values, isOfLines: false };
  }
  const isMove = action === 'submit' || action === 'cancel';
  const values = isMove ? { status: transitions[action].to } : action === 'update' ? valuesOf(resource, input) : {};
  const actions = action === 'update' ? updateActions(resource, values) : [ruledActionOf[action]];
  return { resource, present, actions, values, isOfLines: false };
}

interface PresentRecord {
  resource: Resource;
  present: StoredRecord | undefined;
}

/** The record first, then the documents to which it may belong, by one statement. */
async function presentRecords(
  { provider, read }: Explaining,
  { resource, id, action, input }: AskedAccess,
  who: Explained,
): Promise<PresentRecord[]> {
  const columnsOf = (each: Resource): string[] => {
    const conditions = ruledActions.flatMap((ruled) => [
      ...(who.rights ? [who.rights.rule(each, ruled)] : []),
      ...rulesOf(who.rights, each, ruled).map(({ condition }) => condition),
    ]);
    const changed = each === resource ? Object.keys(valuesOf(each, input)) : [];
    return [...new Set([...(each.documentLike ? ['status'] : []), ...changed, ...conditions.flatMap(columnsIn)])];
  };
  const parent = resource.kind === 'child' && action === 'create' ? String(input[scopeOf(resource)]) : undefined;
  const named = parent === undefined ? undefined : parentResource(resource, parent);
  if (id === undefined && !named) return [{ resource, present: undefined }];
  const joined = named ? [] : resource.parents;
  const all = [named ?? resource, ...joined.map((each) => each.resource)];
  const columns = all.map(columnsOf);
  const text = new StatementBuilder(provider);
  const selected = columns.flatMap((names, index) => ['id', 'version', ...names].map((name) => `t${index}."${name}"`));
  const joins = joined.map(
    ({ reference, resource: { model } }, index) =>
      ` LEFT JOIN "${model}" AS t${index + 1} ON t${index + 1}."id" = t0."${reference}"`,
  );
  const from = `FROM "${(named ?? resource).model}" AS t0${joins.join('')}`;
  const place = text.bind(parent ?? id);
  const [row] = await read(`SELECT ${selected.join(', ')} ${from} WHERE t0."id" = ${place}`, [String(parent ?? id)]);
  let start = 0;
  const found = all.map((each, index): PresentRecord => {
    const names = columns[index] ?? [];
    const present = row && row[start] != null ? storedRecordReader(each, names, start)(row) : undefined;
    start += names.length + 2;
    return { resource: each, present };
  });
  return named ? [{ resource, present: undefined }, ...found] : found;
}

function explained(
  { condition, ...rule }: RuleOfRole,
  action: RuledAction,
  { resource, present, actions, values }: Deciding,
): ExplainedRule {
  const becomes = actions.includes('create') || Object.keys(values).length > 0;
  return {
    ...rule,
    resource,
    action,
    before: present && outcomeOf(resource, condition, present.values),
    after:
      becomes && (present || actions.includes('create'))
        ? outcomeOf(resource, condition, { ...present?.values, ...values })
        : undefined,
  };
}

const outcomeOf = (resource: Resource, condition: Condition, record: Values): Outcome => ({
  holds: matches(condition, record),
  failed: failedIn(condition, record).map((leaf) => {
    const shown = (value: unknown): unknown => shownInGraphql(resource, leaf.field, value);
    const { operator, asked } = comparisonIn(leaf);
    const found = shown(record[leaf.field] ?? null);
    return { field: leaf.field, operator, asked: Array.isArray(asked) ? asked.map(shown) : shown(asked), found };
  }),
});

type Leaf = Extract<Condition, { field: string }>;

function failedIn(condition: Condition, record: Values): Leaf[] {
  if (matches(condition, record)) return [];
  if ('of' in condition) return condition.of.flatMap((each) => failedIn(each, record));
  return 'field' in condition ? [condition] : [];
}

/** A comparison in the words of filters. */
function comparisonIn(leaf: Leaf): { operator: string; asked: unknown } {
  switch (leaf.kind) {
    case 'compare':
      return { operator: leaf.operator, asked: leaf.value };
    case 'in':
      return { operator: leaf.isNot ? 'notIn' : 'in', asked: leaf.values };
    case 'part':
      return { operator: leaf.isNot ? `not ${leaf.operator}` : leaf.operator, asked: leaf.part.text };
    default:
      return { operator: 'isNull', asked: leaf.kind === 'null' && !leaf.isNot };
  }
}
