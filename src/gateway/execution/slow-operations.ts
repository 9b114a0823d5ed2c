/**
 * Logs operations that take long: which one, what it may cost, and how the database answers its slowest
 * statement. Never a value.
 */
import { createHash } from 'node:crypto';
import { type DocumentNode, print } from 'graphql';
import type { RequestContext } from '../../change/context.js';
import { recoverWith, whenResolved } from '../../common/maybe-promise.js';
import type { Operation } from '../../graphql/operation/admission.js';
import { knownError } from '../../graphql/shown-errors/show-error.js';
import type { Execute } from './executor.js';
import type { PlanOf } from './query-plan.js';
import type { WayOf } from './way.js';

export interface SlowOperations {
  /** Milliseconds from which an operation is logged. */
  from: number;
  wayOf: WayOf;
  planOf: PlanOf;
}

/** Wraps an executor; its answers and errors stay as they are. */
export function logSlow(execute: Execute, { from, wayOf, planOf }: SlowOperations): Execute {
  return (operation, context) => {
    const startedAt = performance.now();
    const ended = (code?: string) => {
      const milliseconds = performance.now() - startedAt;
      if (milliseconds < from) return;
      describeSlow(operation, context, { ms: Math.round(milliseconds), code }).catch((err) =>
        context.log.error({ err }, 'A slow operation could not be described'),
      );
    };
    return recoverWith(
      () =>
        whenResolved(execute(operation, context), (result) => {
          ended();
          return result;
        }),
      (error) => {
        ended(knownError(error).code);
        throw error;
      },
    );
  };

  async function describeSlow(
    operation: Operation,
    context: RequestContext,
    { ms, code }: { ms: number; code: string | undefined },
  ) {
    const { name, kind, document, cost } = operation;
    const slowest = context.deadline?.statements?.found;
    const statement = slowest?.sql ?? wayOf(operation, context.identity).statements?.[0];
    const statementMs = slowest && Math.round(slowest.milliseconds);
    const plan = statement === undefined ? undefined : await planOf(statement, context.identity.keyId);
    const { way, errors = code ? [code] : undefined } = context.observation ?? {};
    const facts = { operation: name?.slice(0, longestName), kind, way, errors, ms, cost: cost.requested };
    context.log.warn({ ...facts, hash: hashOf(document), statementMs, plan }, 'Slow operation');
  }
}

const longestName = 100;

/** The SHA-256 of the text, by which clients and trusted documents name it too. */
const hashOf = (document: DocumentNode): string =>
  createHash('sha256')
    .update(document.loc?.source.body ?? print(document))
    .digest('hex');
