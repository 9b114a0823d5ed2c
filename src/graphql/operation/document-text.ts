/** Finds the text of a document by what a request sends: the text itself, its hash, or both. */
import { createHash } from 'node:crypto';
import { errors } from '../../model/errors/errors.js';
import type { DocumentCache } from './documents.js';
import type { Parameters } from './parameters.js';
import type { TrustedDocuments } from './trusted-documents.js';

/** The text in the request, or the one admitted earlier under the request's hash (automatic persisted queries). */
export function persistedText(kept: DocumentCache, { query, hash }: Parameters): string {
  if (query !== undefined) {
    if (hash !== undefined && sha256(query) !== hash) throw errors.badRequest('persisted_query_hash_mismatch');
    return query;
  }
  const text = hash === undefined ? undefined : kept.textOf(hash);
  if (text === undefined) throw errors.persistedQueryNotFound();
  return text;
}

/** The text of a trusted document, found by its hash, its name in the list, or its text. */
export function trustedText(trusted: TrustedDocuments, { query, hash }: Parameters): string {
  const text = trusted.get(hash ?? sha256(query ?? ''));
  if (text === undefined) throw errors.untrustedDocument();
  if (query !== undefined && query !== text) throw errors.badRequest('persisted_query_hash_mismatch');
  return text;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
