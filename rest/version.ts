/**
 * A record's version as HTTP's validators: `ETag: "7"` on every single record, `If-Match` against writing over a newer
 * one, `If-None-Match` against reading the same one again (RFC 9110, 13.1).
 */
import type { IncomingHttpHeaders } from 'node:http';

export const etagOf = (version: number): string => `"${version}"`;

/**
 * The version a write expects: undefined where any will do, and a version no record has where the header names none of
 * ours, for then it can match nothing.
 */
export function expectedVersion({ 'if-match': header }: IncomingHttpHeaders): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  return Number(/^"(\d{1,9})"$/.exec(header.trim())?.[1] ?? noVersion);
}

/** Whether the reader has this version already. The comparison is weak, as the header's is. */
export function isKnown(version: number, { 'if-none-match': header }: IncomingHttpHeaders): boolean {
  if (header === undefined) return false;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etagOf(version) || tag.trim() === '*');
}

/** Versions begin at 1. */
const noVersion = 0;
