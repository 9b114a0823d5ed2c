import type { GraphQLError } from 'graphql';
import type { CostReport } from '../limits/complexity.js';

/**
 * Thrown for a document that cannot be parsed or is not valid. The errors have their places in the document and hold no
 * values of it.
 */
export class DocumentRefused extends Error {
  /** `cost` is that of the operation, where the document could be read. */
  constructor(
    readonly errors: readonly GraphQLError[],
    readonly cost?: CostReport,
  ) {
    super('The document cannot be performed');
  }
}
