/** What is counted: the calls of REST endpoints, and the deprecated parts of the schema that GraphQL operations use. */
export type UsedSurface = 'rest' | 'graphql';

/** How often a key has called one thing with one user agent. */
export interface Use {
  keyId: string;
  surface: UsedSurface;
  /** The name of an endpoint, `AssetRepairList`, or a coordinate of the schema, `AssetRepair.title`. */
  name: string;
  /** Empty for all others together, where a key has used many. */
  userAgent: string;
  calls: number;
  /** Milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
}

/** The most user agents that are counted separately for a key and a name; further ones count together. */
export const mostUserAgents = 8;

/** The most characters that are kept of a user agent. */
export const longestUserAgent = 120;

/** The most rows that are kept. Beyond them, what was called longest ago is forgotten. */
export const mostUses = 50_000;
