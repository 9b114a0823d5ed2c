import { decodedWords } from '../../common/output.js';

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

/** What is read of a request: its client, and the key that must not be stored with it. */
export interface ClientHeaders {
  'user-agent'?: string | undefined;
  authorization?: string | undefined;
}

/**
 * A user agent as it is stored: visible ASCII, shortened, and without the key of its request or what looks like one:
 * clients put strange things into this header, and no secret is ever written anywhere. It needs the header as a whole,
 * because the part of a key would not be found. What is stored already stays as it is.
 */
export function storedUserAgent(given: string, authorization = ''): string {
  const secret = authorization.replace(/^bearer +/i, '');
  const read = decodedWords(given);
  const plain = (secret === '' ? read : read.replaceAll(secret, '…'))
    .replace(/[^ -~…]/g, ' ')
    .replace(/ +/g, ' ')
    .replace(/\w{24,}/g, '…')
    .trim();
  return plain.length > longestUserAgent ? `${plain.slice(0, longestUserAgent - 1)}…` : plain;
}
