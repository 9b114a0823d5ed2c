import type { OperationDefinitionNode } from 'graphql';
import { whenThere } from '../when-there.js';
import type { Execute, Outcome } from './executor.js';

/** Characters of an answer from which it takes long enough for others to notice. */
const large = 128 * 1024;

/**
 * The same executor, where operations whose last answer was large go one by one, with a turn of the event loop for everybody
 * else in between: of a burst of them, each would hold up whoever comes behind all.
 */
export function inTurns(execute: Execute): Execute {
  const known = new WeakSet<OperationDefinitionNode>();
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  const turn = () =>
    new Promise<void>((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next);
    });

  return (operation, context) => {
    const { definition } = operation;
    const work = () =>
      whenThere(execute(operation, context), (outcome) => {
        if (isLarge(outcome)) known.add(definition);
        else known.delete(definition);
        return outcome;
      });
    return known.has(definition) ? turn().then(work) : work();
  };
}

function isLarge(outcome: Outcome): boolean {
  if (!('fields' in outcome)) return false;
  return outcome.fields.some((field) => 'text' in field && field.text.length > large);
}
