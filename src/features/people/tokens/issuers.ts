/** The file in ISSUERS: whose tokens are taken, and what of them counts. */
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { nearest } from '../../../common/nearest.js';
import { isLoopback } from '../../../common/network.js';
import { readForm } from '../../../common/read-form.js';
import { type AddressRules, urlProblem } from '../../../gateway/outgoing/address-rules.js';
import { type FindKey, fixedKeys, keysIn } from './key-set.js';

export interface Issuer extends Pick<Entry, 'issuer' | 'claims' | 'signIn'> {
  audience: string[];
  findKey: FindKey;
  /** Our role for each of the issuer's that counts. */
  roles: ReadonlyMap<string, string>;
}

/** By what their tokens call them. */
export type Issuers = ReadonlyMap<string, Issuer>;

/** Where a browser signs people in: that of a public client, which has no secret. */
const signIn = z.strictObject({
  clientId: z.string().min(1),
  authorize: z.string(),
  token: z.string(),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope, without spaces'))
    .default(['openid']),
  label: z.string().min(1).max(60).optional(),
});

const audience =
  'must be what tokens for this gateway have in `aud`: a text, or a list of texts of which a token has one';

const entryOfIssuer = z.strictObject({
  issuer: z
    .string()
    .regex(
      /^[\x21-\x7b\x7d\x7e]{1,255}$/,
      'must be what tokens have in `iss`, to the letter: 1 to 255 visible ASCII characters without `|`',
    ),
  audience: z.union([z.string().min(1, audience), z.array(z.string().min(1)).min(1, audience)], audience),
  keys: z.string('must be the path of a JSON Web Key Set, or its address, which begins with https://').min(1),
  claims: z.strictObject(
    { name: z.string().min(1).default('name'), roles: z.string().min(1).default('roles') },
    'must be {"name": …, "roles": …}, the names of the claims that hold them; {} for these names',
  ),
  roles: z.record(
    z.string(),
    z.string(),
    'must give our role for each of the issuer, as {"Technicians": "technician"}',
  ),
  signIn: signIn.optional(),
});
type Entry = z.infer<typeof entryOfIssuer>;

export interface IssuerParts {
  /** The roles that the file in ROLES has. */
  knownRoles: ReadonlySet<string>;
  /** Where keys may be fetched. */
  rules: AddressRules;
  /** Makes what fetches the keys of an issuer from an address. */
  fetchedKeys(issuer: string, url: string): FindKey;
}

/** Reads the file; adds everything that is wrong with it to `problems`, each with its place. */
export function readIssuers(path: string, parts: IssuerParts, problems: string[]): Issuers {
  const found = new Map<string, Issuer>();
  for (const [index, entry] of (readForm(path, z.array(entryOfIssuer), problems) ?? []).entries()) {
    const { issuer, audience, claims } = entry;
    const object = (problem: string) => void problems.push(`entry ${index + 1} ${problem}`);
    if (found.has(issuer)) object('names an `issuer` that an earlier entry names too; give all of it in one entry');
    for (const problem of signInProblems(entry)) object(problem);
    for (const [theirs, ours] of Object.entries(entry.roles)) {
      if (parts.knownRoles.has(ours)) continue;
      const meant = nearest(ours, [...parts.knownRoles]);
      const hint = meant ? `; did you mean ${meant}?` : '; add it there, or leave it out here';
      object(`gives people with \`${theirs}\` the role \`${ours}\`, which the file in ROLES does not have${hint}`);
    }
    const findKey = keysOf(entry, path, parts, object);
    const roles = new Map(Object.entries(entry.roles));
    if (findKey)
      found.set(issuer, { issuer, audience: [audience].flat(), findKey, claims, roles, signIn: entry.signIn });
  }
  return found;
}

function keysOf(
  { issuer, keys }: Entry,
  path: string,
  { rules, fetchedKeys }: IssuerParts,
  object: (problem: string) => void,
): FindKey | undefined {
  if (/^https?:/i.test(keys)) {
    const problem = urlProblem(keys, rules);
    if (problem) object(`has \`keys\` that ${problem}`);
    return problem ? undefined : fetchedKeys(issuer, keys);
  }
  const problems: string[] = [];
  const read = readForm(resolve(dirname(path), keys), z.unknown(), problems);
  const set = keysIn(read);
  problems.push(...(problems.length > 0 ? [] : set.problems));
  for (const problem of problems) object(`names ${keys} as the file of its keys, which cannot be used: ${problem}`);
  return problems.length === 0 ? fixedKeys(set.keys) : undefined;
}

/** A browser sends people and their tokens there, so nobody may listen in between. */
function signInProblems({ signIn: given }: Entry): string[] {
  return (['authorize', 'token'] as const).flatMap((name) => {
    const text = given?.[name];
    if (text === undefined) return [];
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
    return isSafe && !url?.hash ? [] : [`has a \`signIn.${name}\` that must be an address that begins with https://`];
  });
}
