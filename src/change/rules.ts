/**
 * Asks the rules of the record types about a plan, before anything of it is written. First those that look at the input
 * alone, as a part of checking the input; then, where a rule looks at records, those are read, or the parent of a new line,
 * and it is asked about each that would change. Whether somebody observes changes makes no difference to the answer.
 */

import type { Procedure } from '../common/work.js';
import type { RecordProposal, Rules, Values } from '../model/change.js';
import { errors } from '../model/errors/errors.js';
import type { Problem } from '../model/errors/problem.js';
import { actionTo } from '../model/lifecycle.js';
import type { Resource } from '../model/resource.js';
import { type Before, type Befores, readBefore } from './changes.js';
import type { ChangeContext } from './context.js';
import type { Insert, Plan, Remove, Step, Update } from './plan.js';
import { mismatchOf, problemsOfRows } from './refusals.js';
import { readStored, requireParent } from './statements/stored-record.js';
import { differences, type StoredRecord } from './values.js';

/**
 * What was read for rules and observers. @throws BAD_USER_INPUT with the problems of the plan and those that the rules
 * find, or for a list the error of the kind of its first problem; NOT_FOUND, VERSION_CONFLICT or INVALID_STATE for a
 * list where nothing else is wrong
 */
export function* askRules(writing: ChangeContext, plan: Plan): Procedure<Befores> {
  const ofInput = plan.inputProblems ?? plan.steps.flatMap((step) => problemsOfInput(writing, step));
  const problems = [...ofInput, ...(plan.problems ?? [])];
  if (ofInput.length > 0) throw refusal(plan, problems);
  // Without such a rule the statement that raises the parent's version finds out whether it is there.
  if (plan.requires && asksOfRecord(writing, plan.requires.line, 'beforeCreate')) {
    yield* requireParent(writing.provider, plan.requires);
  }
  const befores = new Map<Step, Before>();
  for (const step of plan.steps) {
    const isRefused = 'items' in step && step.items && problems.length > 0;
    if ((step.kind === 'update' || step.kind === 'remove') && (isRefused || isWatched(writing, step))) {
      const before = yield* readBefore(writing.provider, step);
      befores.set(step, before);
      // For a single record, the statement that writes it finds the same. For a list, all problems are reported here.
      const wanted = step.rows.map((row) => ({ values: {}, ...row }));
      if (step.items) problems.push(...problemsOfRows(step, wanted, before.records.values()));
    } else if ('items' in step && step.items && step.rows.length > 1 && writing.provider === 'postgresql') {
      // In the order of the ids, so that two writers of some of the same records cannot deadlock.
      const reading = { by: 'id', among: step.rows.map(({ id }) => id), names: [], isLocked: true };
      yield* readStored(writing.provider, step.resource, reading);
    }
    for (const problem of recordProblems(writing, step, befores.get(step))) problems.push(problem);
  }
  if (problems.length > 0) throw refusal(plan, problems);
  plan.admit?.();
  return befores;
}

const refusal = ({ isList }: Plan, problems: Problem[]): Error =>
  isList ? errors.badItems(problems) : errors.badInput(problems);

/** Whether a rule or observer needs the records of a step in their current state. */
export function isWatched({ handlers }: Pick<ChangeContext, 'handlers'>, step: Update | Remove): boolean {
  if (handlers.observers.length > 0) return true;
  const hasRule = (resource: Resource, ...names: RuleName[]) =>
    names.some((name) => asksOfRecord({ handlers }, resource, name));
  if (step.kind === 'update') return hasRule(step.resource, 'beforeUpdate', 'beforeSubmit', 'beforeCancel');
  return [step.resource, ...step.resource.lines.map(({ resource }) => resource)].some((resource) =>
    hasRule(resource, 'beforeDelete'),
  );
}

/** Whether there is such a rule that looks at records. */
const asksOfRecord = ({ handlers }: Pick<ChangeContext, 'handlers'>, { model }: Resource, name: RuleName): boolean =>
  handlers.rules[model]?.[name]?.ofRecord !== undefined;

type RuleName = keyof Rules;

/** Those that may look at the input alone. */
type InputRule = Exclude<RuleName, 'beforeDelete'>;

/** The problems that the rules find which look at the input alone. */
export function problemsOfInput({ handlers }: ChangeContext, step: Step): Problem[] {
  if (step.kind !== 'insert' && step.kind !== 'update') return [];
  const { resource } = step;
  const rules = handlers.rules[resource.model];
  if (!rules) return [];
  const ask = (index: number, values: Values, names: readonly InputRule[]) =>
    names.flatMap((name) => rules[name]?.ofValues?.({ resource, values }) ?? []).map(placed(step, index));
  if (step.kind === 'insert') return step.rows.flatMap((row, index) => ask(index, row, ['beforeCreate']));
  return step.rows.flatMap(({ values }, index) => ask(index, values, updateRules(step, values)));
}

/** The problems that the rules find which look at the records that would change. */
function recordProblems({ handlers }: ChangeContext, step: Step, before: Before | undefined): Problem[] {
  const ask = (names: readonly RuleName[], proposal: RecordProposal) =>
    names.flatMap((name) => handlers.rules[proposal.resource.model]?.[name]?.ofRecord?.(proposal) ?? []);
  const deleted = (resource: Resource, { values }: StoredRecord) =>
    ask(['beforeDelete'], { resource, values: {}, before: values, after: undefined });

  switch (step.kind) {
    case 'insert':
      if (!handlers.rules[step.resource.model]?.beforeCreate?.ofRecord) return [];
      return step.rows.flatMap((values, index) => {
        const proposal = { resource: step.resource, values, before: undefined, after: values };
        return ask(['beforeCreate'], proposal).map(placed(step, index));
      });
    case 'update':
      return step.rows.flatMap((row, index) => {
        const record = before?.records.get(row.id);
        if (!record || mismatchOf(row, record, step)) return [];
        const values = differences(record.values, row.values);
        if (Object.keys(values).length === 0) return [];
        const after = { ...record.values, ...values };
        const proposal = { resource: step.resource, values, before: record.values, after };
        return ask(updateRules(step, values), proposal).map(placed(step, index));
      });
    case 'remove':
      // If a record cannot be deleted, the rules are not asked about its lines.
      if (!before || step.rows.some((row) => mismatchOf(row, before.records.get(row.id), step))) return [];
      return [
        ...[...before.records.values()].flatMap((record) => deleted(step.resource, record)),
        ...before.lines.flatMap(({ resource, lines }) => lines.flatMap((line) => deleted(resource, line))),
      ];
    default:
      return [];
  }
}

function updateRules({ action, resource }: Update, { status }: Values): InputRule[] {
  const names: InputRule[] = action === 'update' ? ['beforeUpdate'] : [];
  const reached = resource.documentLike ? actionTo(status) : undefined;
  if (reached) names.push(reached === 'submit' ? 'beforeSubmit' : 'beforeCancel');
  return names;
}

const placed =
  ({ at }: Insert | Update, row: number) =>
  (problem: Problem): Problem => ({ ...problem, path: [...(at?.(row) ?? []), ...problem.path] });
