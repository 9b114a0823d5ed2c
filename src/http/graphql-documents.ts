import { type DocumentNode, parse } from 'graphql';
import { refuseLargeText } from '../limits/text.js';

/** Documents remembered by their text, so that one that comes again is neither parsed nor validated. */
const documentsKept = 1000;
/** Longer ones are seldom sent twice. */
const longestKept = 20_000;

/**
 * The document a text holds, always the same object for the same text while it is remembered; undefined where the text
 * is no GraphQL, of which the GraphQL server says what is wrong. @throws QUERY_TOO_COMPLEX
 */
export type DocumentOf = (text: unknown) => DocumentNode | undefined;

export function keepDocuments(): DocumentOf {
  const documents = new Map<string, DocumentNode>();

  return (text) => {
    if (typeof text !== 'string') return undefined;
    const known = documents.get(text);
    if (known) return known;
    refuseLargeText(text);
    const document = parsed(text);
    if (document && text.length <= longestKept) documents.set(text, document);
    if (documents.size > documentsKept) documents.delete(documents.keys().next().value ?? '');
    return document;
  };
}

function parsed(text: string): DocumentNode | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
