/** What the rights of a caller add to a plan: each record has to fulfil the rule of the action before it, and after it too. */
import type { Procedure, Statement } from '../common/work.js';
import { withFurther } from '../database/direct-access.js';
import type { Provider } from '../database/migrations/migration-history.js';
import { StatementBuilder } from '../database/statement-builder.js';
import type { Values } from '../model/change.js';
import { errors } from '../model/errors/errors.js';
import { actions, transitions } from '../model/lifecycle.js';
import type { Resource } from '../model/resource.js';
import { allOf, anyOf, type Condition, everything, isEverything } from '../query/condition.js';
import { matches } from '../query/matches.js';
import type { Rights, RuledAction } from '../query/rights.js';
import type { ChangeContext } from './context.js';
import type { AllowedRows, Insert, ParentState, Plan, Step, Update } from './plan.js';
import { decidingColumns, mismatchOf } from './refusals.js';
import { readStored } from './statements/stored-record.js';

/**
 * The same plan, whose statements change only what the caller may change. New records are decided here: all that a rule compares
 * is in them. Every change of lines raises the version of their document, so its rule is part of that statement.
 * @throws FORBIDDEN for a new record that the caller may not create
 */
export function limitPlan(rights: Rights, plan: Plan): Plan {
  return { ...plan, steps: plan.steps.map((step) => limitStep(rights, step)) };
}

function limitStep(rights: Rights, step: Step): Step {
  switch (step.kind) {
    case 'insert':
      requireCreated(rights, step);
      return step;
    case 'update':
      return {
        ...step,
        allowed: step.action === 'move' ? undefined : allowedFor(rights, step.resource, actionsOf(step)),
      };
    case 'remove':
      return { ...step, allowed: allowedFor(rights, step.resource, ['delete']) };
    case 'raise':
    case 'lock':
      return step.resource ? { ...step, allowed: allowedFor(rights, step.resource, ['update']) } : step;
    default:
      return step;
  }
}

function actionsOf({ action, resource, rows }: Update): RuledAction[] {
  if (action !== 'update') return action === 'move' ? [] : [action];
  return [...new Set(rows.flatMap(({ values }) => updateActions(resource, values)))];
}

/** Setting the state of a document acts as submit or cancel, and has to be allowed as such, too. */
export const updateActions = ({ documentLike }: Resource, { status }: Values): RuledAction[] => [
  'update',
  ...actions.filter((action) => documentLike && transitions[action].to === status),
];

/** Undefined where the caller may do this with every record of the type. */
export function allowedFor(rights: Rights, resource: Resource, asked: readonly RuledAction[]): AllowedRows | undefined {
  const seen = ruleOf(rights, resource, 'read');
  const rule = allOf(...asked.map((action) => ruleOf(rights, resource, action)));
  return isEverything(rule) ? undefined : { seen, rule, actions: asked };
}

/** Lines follow their document; only those whose document is not held here have a rule of their own. */
function ruleOf(rights: Rights, resource: Resource, action: RuledAction): Condition {
  const { kind, parents } = resource;
  if (kind !== 'child') return rights.rule(resource, action);
  const isHeld = parents.map(({ reference: field }): Condition => ({ kind: 'null', field, isNot: true }));
  return parents.every(({ link }) => link) ? anyOf(...isHeld, rights.rule(resource, action)) : everything;
}

/** @throws FORBIDDEN for a new record that the caller may not create */
export function requireCreated(
  rights: Rights,
  { resource, rows }: Pick<Insert, 'resource'> & { rows: readonly Values[] },
): void {
  const rule = ruleOf(rights, resource, 'create');
  if (!isEverything(rule) && !rows.every((row) => matches(rule, row)))
    throw errors.notAllowed(resource.title, ['create']);
}

/**
 * Whether a document that stays as it is is there for the caller. @throws FORBIDDEN if the caller may see but not change it
 */
export function* mayBeChanged(
  provider: Provider,
  { id, resource }: ParentState,
  allowed: AllowedRows,
): Procedure<boolean> {
  if (!resource) return true;
  const names = decidingColumns(resource, allowed);
  const [record] = yield* readStored(provider, resource, { by: 'id', among: [id], names, isLocked: true });
  if (mismatchOf({}, record, { allowed }) === 'forbidden') throw errors.notAllowed(resource.title, allowed.actions);
  return mismatchOf({}, record, { allowed }) === undefined;
}

// What a write reads for its answer, and to find what it is about.

/** The statement, of what the caller may see. */
export function seenPart({ limits }: Pick<ChangeContext, 'limits'>, statement: Statement): Statement {
  const limited = limits?.limit(statement.sql, statement.values.length);
  if (!limited) return statement;
  return { ...statement, sql: limited.sql, values: withFurther(statement.values, limited) };
}

/** Which of the records there are for the caller. It decides only what the answer says: statements that write ask the rules themselves. */
export function* seenAmong(
  writing: ChangeContext,
  { model }: Resource,
  ids: readonly string[],
): Procedure<ReadonlySet<string>> {
  if (!writing.limits) return new Set(ids);
  const text = new StatementBuilder(writing.provider);
  const select = text.statement(`SELECT "id" FROM "${model}" WHERE "id" ${text.among(ids)}`);
  return new Set((yield { isChecked: true, ...seenPart(writing, select) }).map(([id]) => String(id)));
}

export function* isSeen(writing: ChangeContext, resource: Resource, id: string): Procedure<boolean> {
  return (yield* seenAmong(writing, resource, [id])).has(id);
}
