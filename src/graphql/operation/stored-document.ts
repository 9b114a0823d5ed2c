import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidationRule,
  validate,
} from 'graphql';
import { selectDefinition } from './definition.js';

/** A valid document of the gateway's own. */
export class StoredDocument {
  // The private field makes the class nominal: only `store` can make an instance.
  readonly #isValid = true;

  /** The operation of the document. */
  readonly definition: OperationDefinitionNode;

  private constructor(readonly document: DocumentNode) {
    this.definition = selectDefinition(document, undefined);
  }

  /** The document as a stored one, or the errors of `rules`, which may be fewer than those for documents of others. */
  static store(
    schema: GraphQLSchema,
    document: DocumentNode,
    rules: readonly ValidationRule[],
  ): StoredDocument | readonly GraphQLError[] {
    const faults = validate(schema, document, rules);
    return faults.length > 0 ? faults : new StoredDocument(document);
  }

  static isStored(value: unknown): value is StoredDocument {
    return value instanceof StoredDocument && value.#isValid;
  }
}
