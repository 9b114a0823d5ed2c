/** Asks the rules of the record types about a plan, before anything of it is written. */
import { errors, type Problem } from '../../errors.js';
import type { Rule, Rules, Values } from '../../model/change.js';
import type { Resource } from '../../model/resource.js';
import type { Work } from '../../work.js';
import { transitions } from '../lifecycle.js';
import type { Plan, Step } from './plan.js';
import { type Present, present } from './present.js';
import { reasonAgainst } from './refusals.js';
import type { Remove } from './remove.js';
import type { Update } from './update.js';
import { differences } from './values.js';
import type { Writing } from './writing.js';

/** The records of a step as they are before it, by their ids, with the lines that go with those that are deleted. */
export interface Before {
  records: ReadonlyMap<string, Present>;
  lines: readonly { resource: Resource; lines: readonly Present[] }[];
}

/** What was read for rules and observers; steps of which nobody wants to know more are missing. */
export type Befores = ReadonlyMap<Step, Before>;

/** As many as are told of any other input. */
const mostProblems = 50;

/** @throws BAD_USER_INPUT with the problems of the plan and those that the rules find; of a list, as its first problem is */
export function* askRules(writing: Writing, plan: Plan): Work<Befores> {
  const befores = new Map<Step, Before>();
  const problems: Problem[] = [];
  for (const step of plan.steps) {
    if ((step.kind === 'update' || step.kind === 'remove') && isWatched(writing, step)) {
      befores.set(step, yield* before(writing, step));
    }
    problems.push(...problemsOf(writing, step, befores.get(step)));
  }
  problems.push(...(plan.problems ?? []));
  if (problems.length > 0)
    throw plan.isList ? errors.badItems(problems) : errors.badInput(problems.slice(0, mostProblems));
  plan.admit?.();
  return befores;
}

/** Whether somebody wants to know the records of a step as they are before it. */
function isWatched({ handlers }: Writing, step: Update | Remove): boolean {
  if (handlers.observers.length > 0) return true;
  const looks = (resource: Resource, names: readonly RuleName[]) =>
    names.some((name) => handlers.rules[resource.model]?.[name]?.ofRecord);
  if (step.kind === 'update') return looks(step.resource, ['beforeUpdate', 'beforeSubmit', 'beforeCancel']);
  return looks(step.resource, ['beforeDelete']) || step.resource.lines.some((lines) => hasRule(lines.resource));

  function hasRule({ model }: Resource): boolean {
    return handlers.rules[model]?.beforeDelete !== undefined;
  }
}

/** A line is held still by its parent, whose version the plan raises first. */
function* before({ provider }: Writing, step: Update | Remove): Work<Before> {
  const { resource, rows } = step;
  const among = rows.map(({ id }) => id);
  const namesOf = ({ fields }: Resource) => fields.map(({ name }) => name);
  const isLocked = resource.kind !== 'child';
  const found = yield* present(provider, resource, { by: 'id', among, names: namesOf(resource), isLocked });
  const lines: { resource: Resource; lines: Present[] }[] = [];
  if (step.kind === 'remove') {
    for (const { resource: child, reference } of resource.lines) {
      const reading = { by: reference, among, names: namesOf(child), isLocked: false };
      lines.push({ resource: child, lines: yield* present(provider, child, reading) });
    }
  }
  return { records: new Map(found.map((each) => [each.id, each])), lines };
}

type RuleName = keyof Rules;

function problemsOf(writing: Writing, step: Step, before: Before | undefined): Problem[] {
  const ask = asking(writing);
  switch (step.kind) {
    case 'insert':
      return step.rows.flatMap((values, index) =>
        ask(
          step.resource,
          ['beforeCreate'],
          { values, before: undefined, after: values },
          () => step.at?.(index) ?? [],
        ),
      );
    case 'update':
      return updateProblems(ask, step, before);
    case 'remove':
      return [
        ...step.rows.flatMap(({ id }) => deleteProblems(step.resource, before?.records.get(id))),
        ...(before?.lines ?? []).flatMap(({ resource, lines }) =>
          lines.flatMap((line) => deleteProblems(resource, line)),
        ),
      ];
    default:
      return [];
  }

  function deleteProblems(resource: Resource, record: Present | undefined): Problem[] {
    return ask(resource, ['beforeDelete'], { values: {}, before: record?.values, after: undefined }, () => []);
  }
}

function updateProblems(ask: Ask, step: Update, before: Before | undefined): Problem[] {
  return step.rows.flatMap((row, index) => {
    const record = before?.records.get(row.id);
    const { given: values = row.values } = row;
    const isRefused = before && reasonAgainst(row, record);
    // What is refused, and what stays as it is, is no change.
    if (isRefused || (record && Object.keys(differences(record.values, values)).length === 0)) return [];
    const proposal = { values, before: record?.values, after: record && { ...record.values, ...values } };
    return ask(step.resource, ruleNames(step, values, record), proposal, () => step.at?.(index) ?? []);
  });
}

/** An update that sets the status is a submit or a cancel too, unless the record is known to have that status. */
function ruleNames({ action, resource }: Update, { status }: Values, record: Present | undefined): RuleName[] {
  const names: RuleName[] = action === 'update' ? ['beforeUpdate'] : [];
  if (!resource.documentLike || record?.values.status === status) return names;
  if (status === transitions.submit.to) names.push('beforeSubmit');
  if (status === transitions.cancel.to) names.push('beforeCancel');
  return names;
}

type Ask = ReturnType<typeof asking>;

const asking =
  ({ handlers }: Writing) =>
  (
    resource: Resource,
    names: readonly RuleName[],
    { values, before, after }: { values: Values; before: Values | undefined; after: Values | undefined },
    at: () => Problem['path'],
  ): Problem[] => {
    const rules: Rules = handlers.rules[resource.model] ?? {};
    const found = names.flatMap((name) => {
      const rule: Rule | undefined = rules[name];
      const isKnown = name === 'beforeCreate' || before !== undefined;
      return [
        ...(rule?.ofValues?.({ resource, values }) ?? []),
        ...((isKnown && rule?.ofRecord?.({ resource, values, before, after })) || []),
      ];
    });
    return found.length === 0 ? [] : found.map((problem) => ({ ...problem, path: [...at(), ...problem.path] }));
  };
