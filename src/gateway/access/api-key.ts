/** API keys as their administrators see them. */

/** A key without its hash, safe to show. */
export interface ApiKey {
  /** The public prefix of the secret; `environment` for the key in the setting API_KEY. */
  id: string;
  name: string;
  scopes: string[];
  createdAt: Date;
  /** From then on the key is refused. */
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** Accurate to about a minute. */
  lastUsedAt: Date | null;
}

/** A new key. This is the only time its secret is returned. */
export interface CreatedKey {
  apiKey: ApiKey;
  secret: string;
}

export interface Rotation {
  /** Seconds for which the old key stays valid together with the new one; 0 ends it at once. */
  overlapSeconds: number;
  /** When the new key expires: null for never; if left out, when the old key would. */
  expiresAt?: Date | null;
}

/** The input for a new key. */
export interface KeyInput {
  name: string;
  scopes: readonly string[];
  /** Null or left out: the key is valid until it is revoked. */
  expiresAt?: Date | null;
}

/** The state of a key. */
export function stateOf({ revokedAt, expiresAt }: ApiKey, now = Date.now()): 'active' | 'expired' | 'revoked' {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= now ? 'expired' : 'active';
}
