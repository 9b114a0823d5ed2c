import * as z from 'zod';
import { ConfigError } from '../../common/config-error.js';
import { didYouMean } from '../../common/nearest.js';
import { type Objecting, objectingTo, readForm } from '../../common/read-form.js';
import { settingsAfter } from '../../gateway/config/config.js';
import { filePath, optional, setting } from '../../gateway/config/setting.js';
import { parseInstant } from '../../model/instant.js';

/** Endpoints of REST that are going to end, as the file in DEPRECATIONS says. */
export interface Deprecation {
  /** Since when new clients should not use it; may lie in the future. */
  since: Date;
  /** When it ends for the keys in `ended`; never before `since`. */
  sunset?: Date | undefined;
  documentation?: string | undefined;
  /** The ids of the keys that are refused from `sunset` on; `*` for all. */
  ended: ReadonlySet<string>;
}

/** By the names of the endpoints. */
export type Deprecations = ReadonlyMap<string, Deprecation>;

export function hasEnded({ sunset, ended }: Deprecation, keyId: string, now = Date.now()): boolean {
  return sunset !== undefined && now >= sunset.getTime() && (ended.has(keyId) || ended.has('*'));
}

/**
 * Reads which endpoints are deprecated; `names` are those of all endpoints. @throws ConfigError with everything that is
 * wrong with the file
 */
export function readDeprecations(path: string, names: readonly string[]): Deprecations {
  const problems: string[] = [];
  const objectToAll = objectingTo('DEPRECATIONS', path, problems);
  const found = new Map<string, Deprecation>();
  for (const [index, entry] of (readForm(path, z.array(entryForm), objectToAll) ?? []).entries()) {
    const object = (problem: string) => objectToAll(`entry ${index + 1} ${problem}`);
    const deprecation = deprecationOf(entry, object);
    for (const pattern of entry.endpoints) {
      const meant = names.filter((name) => isNamed(pattern, name));
      if (meant.length === 0) object(`names ${pattern}, which is the name of no endpoint${didYouMean(pattern, names)}`);
      for (const name of meant) {
        if (found.has(name)) object(`names ${name}, which an earlier entry names too`);
        else found.set(name, deprecation);
      }
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return found;
}

/** An id of a key; anything else may be a secret, and is refused without being shown. */
const keyId = z
  .string()
  .regex(/^(\*|environment|brg_[0-9a-z]{12})$/, 'must be the id of a key, `brg_` and twelve characters, or `*`');

const entryForm = z.strictObject({
  endpoints: z
    .array(
      z.string().regex(/^[A-Za-z*]{1,100}$/, 'must be the name of an endpoint, as in the header `X-GraphQL-Operation`'),
    )
    .min(1),
  deprecated: z.string(),
  sunset: z.string().optional(),
  documentation: z
    .string()
    .regex(
      /^(https?:\/\/|\/)[\x21\x23-\x3b=?-[\]_a-z~]{0,1000}$/,
      'must be an address that begins with https://, http:// or /, with everything encoded that needs it',
    )
    .optional(),
  ended: z.array(keyId).optional(),
});

type Entry = z.infer<typeof entryForm>;

function deprecationOf({ deprecated, sunset, documentation, ended = [] }: Entry, object: Objecting): Deprecation {
  const [since, end] = [instant('deprecated', deprecated, object), instant('sunset', sunset, object)];
  if (end && since && end < since)
    object('has a `sunset` before its `deprecated`; an endpoint must be deprecated before it ends');
  if (ended.length > 0 && sunset === undefined)
    object('names keys in `ended` without a `sunset` from which on they are refused');
  return { since: since ?? new Date(0), sunset: end, documentation, ended: new Set(ended) };
}

function instant(name: string, text: string | undefined, object: Objecting): Date | undefined {
  const found = text === undefined ? undefined : parseInstant(text);
  if (typeof found !== 'string') return found;
  object(`has a \`${name}\` that ${found}`);
  return undefined;
}

/** Whether a pattern, in which `*` stands for any characters, means the name. */
function isNamed(pattern: string, name: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined || !name.startsWith(first)) return name === pattern;
  let rest = name.slice(first.length);
  for (const part of others) {
    if (!rest.includes(part)) return false;
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
  return rest.endsWith(last);
}

export const usageSettings = settingsAfter('trustedDocuments', {
  deprecations: setting({
    ...optional(filePath),
    meaning:
      'A JSON file that says which REST endpoints are deprecated, when they end, and for which keys (docs/moving-to-graphql.md).',
  }),
});
