/**
 * A record's version as HTTP's validators: `ETag: "7"` on every single record, `If-Match` against writing over a newer
 * one, `If-None-Match` against reading the same one again (RFC 9110, 13.1).
 */
import type { IncomingHttpHeaders } from 'node:http';

export const etagOf = (version: number): string => `"${version}"`;

/**
 * The version a write expects, of a header with one tag: undefined where any will do, and a version no record has where it
 * is none of ours or a weak one, for then it can match nothing. `anyVersion` sees to lists.
 */
export function expectedVersion({ 'if-match': header }: IncomingHttpHeaders): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return Number(/^"([1-9]\d{0,8})"$/.exec(header.trim())?.[1] ?? noVersion);
}

/** Versions begin at 1. */
const noVersion = 0;
