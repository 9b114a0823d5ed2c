/** Documents that clients send: read from their texts, checked, and kept while they are in use. */
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { CostReport } from '../limits/complexity.js';
import { refuseLargeText } from '../limits/text.js';
import { nameValues } from '../schema/name-values.js';
import { withoutValues } from '../schema/without-values.js';
import { WeighedCache } from '../weighed-cache.js';
import { DocumentRefused } from './refusal.js';

/** The document a text holds. @throws QUERY_TOO_COMPLEX, DocumentRefused */
export function parseDocument(text: string): DocumentNode {
  refuseLargeText(text);
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) throw new DocumentRefused([shown(error, 'GRAPHQL_PARSE_FAILED')]);
    throw error;
  }
}

/** Refuses a document that breaks a rule of GraphQL; each error names the argument a wrong value stands in. @throws DocumentRefused */
export function requireValid(schema: GraphQLSchema, document: DocumentNode, cost: CostReport): void {
  // A suggestion compares a name with all that there are: where much is wrong that takes a second, and helps nobody.
  const plain = validate(schema, document, undefined, { hideSuggestions: true });
  if (plain.length === 0) return;
  const faults = plain.length > mostSuggested ? plain : validate(schema, document);
  nameValues(document, faults);
  throw new DocumentRefused(
    faults.map((fault) => shown(fault, 'GRAPHQL_VALIDATION_FAILED')),
    cost,
  );
}

/** Errors of a document that are given suggestions. */
const mostSuggested = 3;

/**
 * Keeps documents by their texts, so that one that comes again is neither parsed nor validated, and compiled only once. A
 * parsed document takes some seventy times the memory of its text, and its compiled form as much again.
 */
export class KeptDocuments {
  /** Characters of all texts together; each counts at least as many as a short one, for what is kept beside it. */
  static readonly mostCharacters = 500_000;
  static readonly leastCharacters = 250;

  readonly #hashes = new Map<string, string>();
  readonly #documents = new WeighedCache<KeptDocument>(
    KeptDocuments.mostCharacters,
    (text) => Math.max(text.length, KeptDocuments.leastCharacters),
    (_text, { hash }) => hash !== undefined && this.#hashes.delete(hash),
  );

  get(text: string): DocumentNode | undefined {
    return this.#documents.get(text)?.document;
  }

  /** The text that was kept under a hash. */
  textOf(hash: string): string | undefined {
    return this.#hashes.get(hash);
  }

  /** Keeps a document that has been admitted. `hash` is the SHA-256 of its text where clients may send that instead. */
  keep(text: string, document: DocumentNode, hash: string | undefined): void {
    const known = this.#documents.get(text);
    if (known && (hash === undefined || known.hash === hash)) return;
    this.#documents.set(text, { document, hash });
    if (hash !== undefined && this.#documents.get(text)) this.#hashes.set(hash, text);
  }
}

interface KeptDocument {
  document: DocumentNode;
  hash: string | undefined;
}

function shown(error: GraphQLError, code: string): GraphQLError {
  const { message, nodes, source, positions, path, extensions } = withoutValues(error);
  return new GraphQLError(message, { nodes, source, positions, path, extensions: { ...extensions, code } });
}
