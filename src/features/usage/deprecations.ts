/** Endpoints of REST that are going to end, as the file in DEPRECATIONS says. */
export interface Deprecation {
  /** Since when new clients should not use it; may lie in the future. */
  since: Date;
  /** When it ends for the keys in `ended`; never before `since`. */
  sunset?: Date | undefined;
  /** An address that explains it. */
  documentation?: string | undefined;
  /** The ids of the keys that are refused from `sunset` on; `*` for all. */
  ended: ReadonlySet<string>;
}

/** By the names of the endpoints. */
export type Deprecations = ReadonlyMap<string, Deprecation>;

/** Whether the endpoint has ended for a key. */
export function hasEnded({ sunset, ended }: Deprecation, keyId: string, now = Date.now()): boolean {
  return sunset !== undefined && now >= sunset.getTime() && (ended.has(keyId) || ended.has('*'));
}
