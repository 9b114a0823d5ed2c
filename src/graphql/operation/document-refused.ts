import type { GraphQLError } from 'graphql';
import type { CostReport } from '../limits/operation-cost.js';

/**
 * Thrown for a document that cannot be parsed or is invalid. The errors have locations, but quote no values of the
 * document.
 */
export class DocumentRefused extends Error {
  /** `cost` is the operation's cost, if the document could be parsed. */
  constructor(
    readonly errors: readonly GraphQLError[],
    readonly cost?: CostReport,
  ) {
    super('The document cannot be performed');
  }
}
