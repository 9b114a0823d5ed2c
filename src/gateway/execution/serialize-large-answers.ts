import type { OperationDefinitionNode } from 'graphql';
import { recoverWith, whenResolved } from '../../common/maybe-promise.js';
import { GatewayError } from '../../model/errors/gateway-error.js';
import type { Execute, OperationResult } from './executor.js';

/** Characters from which an answer blocks the event loop noticeably. */
const large = 128 * 1024;

/**
 * Wraps an executor so that operations whose last answer was large, or refused as too large, start one at a time, with a
 * turn of the event loop for other requests in between. Otherwise a burst of them would delay every request behind them.
 */
export function serializeLargeAnswers(execute: Execute): Execute {
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
    const isKnown = known.has(definition);
    const execution = () =>
      recoverWith(
        () => execute(operation, context),
        (error) => {
          if (isTooLarge(error)) known.add(definition);
          throw error;
        },
      );
    const work = () =>
      whenResolved(execution(), (outcome) => {
        if (isLarge(outcome)) known.add(definition);
        else if (isKnown) known.delete(definition);
        return outcome;
      });
    return isKnown ? turn().then(work) : work();
  };
}

function isLarge(outcome: OperationResult): boolean {
  if (!('fields' in outcome)) return false;
  return outcome.fields.some((field) => 'text' in field && field.text.length > large);
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof GatewayError && error.details.reason === 'answer_too_large';
