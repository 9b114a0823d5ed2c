/** An API key as those see it who administer keys. */

/** A key as it may be shown: without its hash. */
export interface ApiKey {
  /** The public beginning of the secret; `environment` for the key of the setting API_KEY. */
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  /** From then on it opens nothing. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** To the minute or so. */
  lastUsedAt: Date | null;
}

/** A key just made, and the only time its secret is told. */
export interface MadeKey {
  apiKey: ApiKey;
  secret: string;
}

export interface Rotation {
  /** Seconds the old key stays good beside the new one; 0 ends it at once. */
  overlapSeconds: number;
  /** The end of the new key: none where null, and where it is left out the one the old key had. */
  expiresAt?: Date | null;
}

/** A key to make. */
export interface KeyInput {
  name: string;
  scopes: readonly string[];
  /** Left out or null: it opens until it is revoked. */
  expiresAt?: Date | null;
}

/** What has become of a key. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, now = Date.now()): 'active' | 'expired' | 'revoked' {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= now ? 'expired' : 'active';
}
