import { type DocumentNode, type GraphQLError, type GraphQLSchema, Kind, type ValidationRule, validate } from 'graphql';

/** A document of the gateway's own that was validated at start. */
export class StoredDocument {
  // The private field makes the class nominal: only `store` can make an instance.
  readonly #isValid = true;

  private constructor(readonly document: DocumentNode) {}

  /**
   * The documents as stored ones, or the validation errors. All are validated as one document and only by `rules`, to
   * keep the start fast.
   */
  static store(
    schema: GraphQLSchema,
    documents: ReadonlySet<DocumentNode>,
    rules: readonly ValidationRule[],
  ): ReadonlyMap<DocumentNode, StoredDocument> | readonly GraphQLError[] {
    const definitions = [...documents].flatMap((document) => document.definitions);
    const faults = validate(schema, { kind: Kind.DOCUMENT, definitions }, rules);
    if (faults.length > 0) return faults;
    return new Map([...documents].map((document) => [document, new StoredDocument(document)]));
  }

  static isStored(value: unknown): value is StoredDocument {
    return value instanceof StoredDocument && value.#isValid;
  }
}
