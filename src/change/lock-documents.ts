/** What LOCK_SUBMITTED adds to a plan. */
import type { Plan } from './plan.js';
import type { Step } from './step.js';

/**
 * Adds a condition to the plan: a submitted or cancelled document keeps its fields and lines, and is not deleted. Its
 * status may change, and an update without a difference is allowed. Every change of lines raises the version of their
 * document, so the condition is part of that statement.
 */
export function lockDocuments(plan: Plan): Plan {
  const changesLines = plan.steps.some((step) => 'resource' in step && step.resource.kind === 'child');
  return { ...plan, steps: plan.steps.map((step) => lockStep(step, changesLines)) };
}

function lockStep(step: Step, changesLines: boolean): Step {
  switch (step.kind) {
    case 'update': {
      if (!step.resource.documentLike) return step;
      const locked = changesLines ? 'whole' : 'fields';
      return { ...step, rows: step.rows.map((row) => ({ ...row, locked })) };
    }
    case 'remove':
      if (!step.resource.documentLike) return step;
      return { ...step, rows: step.rows.map((row) => ({ ...row, locked: 'whole' })) };
    case 'raise':
      return step.parent.resource?.documentLike ? { ...step, locked: 'whole' } : step;
    default:
      return step;
  }
}
