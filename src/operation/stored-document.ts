import { type DocumentNode, type GraphQLError, type GraphQLSchema, Kind, type ValidationRule, validate } from 'graphql';

/** A document that is a part of the gateway and was found valid when the gateway started. */
export class StoredDocument {
  // Nothing but `store` can make one: without this field any object of the same form would do.
  readonly #isValid = true;

  private constructor(readonly document: DocumentNode) {}

  /**
   * The documents as stored ones, or what is wrong with them. All are checked as one, by those rules that documents made
   * by the gateway could break: this is a part of every start.
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
