/**
 * The change of a line that has not been read, as a plan that only one statement on PostgreSQL can carry out: it finds the
 * line and its document, compares the values, and changes both if the line gets another one.
 */
import { scopeOf } from '../query/scope.js';
import type { ChangeContext } from './change-context.js';
import { requiredParent } from './parent-type.js';
import type { Plan } from './plan.js';
import { isWatched } from './rules.js';
import type { Update } from './statements/update.js';

/**
 * Undefined where the line must be read before: on SQLite, which runs in this process, so that a statement less gains
 * nothing; if it moves among the others, or its document may be of any type; and for rules and observers.
 */
export function unreadPlan(writing: ChangeContext, update: Update): Plan | undefined {
  const { resource, rows } = update;
  const document = requiredParent(resource);
  const mayMove = rows.some(({ values }) => 'idx' in values || scopeOf(resource) in values);
  if (writing.provider === 'sqlite' || !document || mayMove || isWatched(writing, update)) return undefined;
  return {
    steps: [{ kind: 'raise', parent: { id: undefined, resource: document.resource } }, update],
    inputProblems: [],
  };
}

/** Whether nothing of the plan can be carried out by another statement. */
export const isUnread = ({ steps: [first] }: Plan): boolean => first?.kind === 'raise' && first.parent.id === undefined;
