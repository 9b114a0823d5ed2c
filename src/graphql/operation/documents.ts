/** Documents sent by clients: parsed, validated, and cached. */
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { WeighedCache } from '../../common/weighed-cache.js';
import { errors } from '../../model/errors/errors.js';
import { mostProblems } from '../../model/errors/problem.js';
import { refuseLargeText } from '../limits/json-text.js';
import type { CostReport } from '../limits/operation-cost.js';
import { mostPairs } from '../limits/sizes.js';
import { nameValues, withFewLocations, withMend, withoutValues } from '../shown-errors/show-error.js';
import { DocumentRefused } from './trusted-documents.js';

/** Parses a document. @throws QUERY_TOO_COMPLEX, DocumentRefused */
export function parseDocument(text: string): DocumentNode {
  refuseLargeText(text);
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    const fault = withoutValues(error);
    fault.extensions.code = 'GRAPHQL_PARSE_FAILED';
    throw new DocumentRefused([fault]);
  }
}

/**
 * Validates a document; each error about a value names its argument. @throws DocumentRefused, QUERY_TOO_COMPLEX
 */
export function requireValid(schema: GraphQLSchema, document: DocumentNode, cost: CostReport): void {
  // A suggestion compares a name with all names of the schema, which takes a second for a document with many errors.
  const most = (document.loc?.end ?? 0) > longText ? mostOfLongText : mostProblems;
  const plain = validate(schema, document, undefined, { hideSuggestions: true, maxErrors: most });
  if (plain.length === 0) return;
  const faults = (plain.length > mostSuggested ? plain : validate(schema, document)).map((error) =>
    withFewLocations(withMend(withoutValues(error))),
  );
  // Only the last one can be about no place: GraphQL.js stops at the limit of errors, or of its comparisons.
  if (faults.at(-1)?.nodes === undefined) {
    if (faults.length <= most) throw errors.queryTooComplex('pairs', mostPairs);
    faults.splice(-1, 1, new GraphQLError(`The document has more than ${most} errors; the others are not listed.`));
  }
  nameValues(document, faults);
  for (const { extensions } of faults) extensions.code = 'GRAPHQL_VALIDATION_FAILED';
  throw new DocumentRefused(faults, cost);
}

/** Characters from which fewer errors are listed: to find the line of one takes as long as reading the text. */
const longText = 100_000;
const mostOfLongText = 10;

/** The number of errors up to which they get suggestions. */
const mostSuggested = 3;

/**
 * Caches documents by their texts, so that a repeated text is neither parsed, validated nor compiled again. A parsed
 * document takes about seventy times the memory of its text, and its compiled form as much again.
 */
export class DocumentCache {
  /**
   * The capacity in characters of text. A short text counts as `leastCharacters`, because of the memory for its
   * document.
   */
  static readonly mostCharacters = 500_000;
  static readonly leastCharacters = 250;

  readonly #hashes = new Map<string, string>();
  readonly #documents = new WeighedCache<KeptDocument>(
    DocumentCache.mostCharacters,
    (text) => Math.max(text.length, DocumentCache.leastCharacters),
    (_text, { hash }) => hash !== undefined && this.#hashes.delete(hash),
  );

  get(text: string): DocumentNode | undefined {
    return this.#documents.get(text)?.document;
  }

  /** The text that was cached with this hash. */
  textOf(hash: string): string | undefined {
    return this.#hashes.get(hash);
  }

  /**
   * Caches an admitted document. `hash` is the SHA-256 of its text, if clients may send the hash instead of the text.
   */
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
