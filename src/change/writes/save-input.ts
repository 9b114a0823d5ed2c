import type { Values } from '../../model/change.js';
import type { Problem } from '../../model/errors/problem.js';
import type { Resource } from '../../model/resource.js';
import type { ChangeContext } from '../change-context.js';
import { problemsOfInput } from '../rules.js';
import type { Step } from '../step.js';
import { valuesOf } from '../values.js';
import { missingFields } from './line-plan.js';
import { newLine, ownershipOf } from './new-lines.js';

/**
 * The problems that the rules which look at the input alone find in the fields and lines of a save, before anything is
 * read.
 */
export function saveInputProblems(
  writing: ChangeContext,
  resource: Resource,
  { id, input }: { id: string; input: Values },
): Problem[] {
  const { rules } = writing.handlers;
  const values = valuesOf(resource, input);
  const steps: Step[] = [{ kind: 'update', resource, rows: [{ id, values }], action: 'update', at: () => ['input'] }];
  for (const { resource: child, field } of resource.lines) {
    const list: unknown = input[field];
    if (!Array.isArray(list) || !rules[child.model]) continue;
    const owned = ownershipOf(resource, child, id);
    for (const [index, { id: lineId, ...line }] of list.entries()) {
      const at = () => ['input', field, index];
      if (typeof lineId === 'string') {
        const rows = [{ id: lineId, values: { ...valuesOf(child, line), idx: index + 1 } }];
        steps.push({ kind: 'update', resource: child, rows, action: 'update', at });
      } else if (missingFields(child, line, at()).length === 0) {
        steps.push({ kind: 'insert', resource: child, rows: [newLine(child, line, owned, index + 1)], at });
      }
    }
  }
  return steps.flatMap((step) => problemsOfInput(writing, step));
}
