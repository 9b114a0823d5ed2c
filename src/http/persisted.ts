/**
 * Operations sent by their hash. Automatic persisted queries (Apollo's protocol): a client sends the SHA-256 of its
 * operation, and the text only where the hash is not known yet. Trusted documents: only the operations of a list are
 * performed, so that a key that leaks with a front end can ask no more than the front end does.
 */
import { createHash } from 'node:crypto';
import { errors } from '../errors.js';

/** Texts remembered for their hashes; whoever finds one forgotten sends it again. */
const textsKept = 1000;

/** Operation texts by the SHA-256 of each, in lower-case hexadecimal. */
export type TrustedDocuments = ReadonlyMap<string, string>;

/** What was sent, with its text in place of its hash. @throws PERSISTED_QUERY_NOT_FOUND, BAD_REQUEST, FORBIDDEN */
export type ResolvePersisted = (given: unknown) => unknown;

export function persistedOperations(trusted?: TrustedDocuments): ResolvePersisted {
  const texts = new Map<string, string>();

  const textOf = (query: unknown, hash: string): unknown => {
    if (query === undefined || query === null || query === '') {
      const text = texts.get(hash);
      if (text === undefined) throw errors.persistedQueryNotFound();
      return text;
    }
    if (typeof query !== 'string' || sha256(query) !== hash) throw errors.badRequest('persisted_query_hash_mismatch');
    texts.set(hash, query);
    if (texts.size > textsKept) texts.delete(texts.keys().next().value ?? '');
    return query;
  };

  return (given) => {
    if (!isObject(given)) return given;
    if (!trusted && given.extensions === undefined) return given; // there is no hash in it
    const { query, extensions, ...rest } = given;
    const { persistedQuery, clientLibrary: _whoAsks, ...others } = isObject(extensions) ? extensions : {};
    const hash = isObject(persistedQuery) ? String(persistedQuery.sha256Hash).toLowerCase() : undefined;
    // What is no object is kept too, for Yoga to refuse.
    const isKept = isObject(extensions) ? Object.keys(others).length > 0 : extensions !== undefined;
    const kept = isKept ? { extensions: isObject(extensions) ? others : extensions } : {};
    if (trusted) return { ...rest, ...kept, query: trustedText(trusted, query, hash) };
    return { ...rest, ...kept, query: hash === undefined ? query : textOf(query, hash) };
  };
}

function trustedText(trusted: TrustedDocuments, query: unknown, hash: string | undefined): string {
  const text = trusted.get(hash ?? sha256(typeof query === 'string' ? query : ''));
  if (text === undefined) throw errors.untrustedDocument();
  return text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
