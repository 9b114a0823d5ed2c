/**
 * A record's version as an HTTP validator: `ETag: "7"` on every single record, `If-Match` to prevent lost updates,
 * `If-None-Match` to skip unchanged records (RFC 9110, 13.1).
 */
export const etagOf = (version: number): string => `"${version}"`;

/**
 * The version that a write expects, from an `If-Match`. Undefined for `*`. A weak or unknown tag matches
 * nothing, so it becomes a version that no record has. Of several tags it is the first, with which `anyVersion` begins.
 */
export function readVersion(tags: string): number | undefined {
  const [first = ''] = tags.split(',', 1);
  const tag = first.trim();
  if (tag === '*') return undefined;
  return Number(/^"([1-9]\d{0,8})"$/.exec(tag)?.[1] ?? noVersion);
}

/** Versions begin at 1. */
const noVersion = 0;
