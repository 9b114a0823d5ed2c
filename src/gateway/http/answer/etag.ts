/** Whether `If-None-Match` matches this ETag or is `*`. The comparison is weak: `W/` is ignored (RFC 9110, 13.1.2). */
export function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((listed) => {
    const tag = listed.trim();
    return tag === '*' || tag === etag || tag === `W/${etag}`;
  });
}
