/** The file in ISSUERS: whose tokens are taken, and what of them counts. */
import { dirname, resolve } from 'node:path';
import * as z from 'zod';
import { didYouMean } from '../../../common/nearest.js';
import { isLoopback } from '../../../common/network.js';
import { type Objecting, objectingTo, readForm } from '../../../common/read-form.js';
import { type AddressRules, urlProblem } from '../../../gateway/outgoing/address-rules.js';
import { type FindKey, keySet } from './key-set.js';

export type Issuer = z.infer<ReturnType<typeof formOfIssuer>>;

/** By what their tokens call them. */
export type Issuers = ReadonlyMap<string, Issuer>;

export interface IssuerParts {
  /** The names of the roles that the file in ROLES has. */
  knownRoles: readonly string[];
  /** Where keys may be fetched. */
  rules: AddressRules;
  /** Makes what fetches the keys of an issuer from an address. */
  fetched(url: string): FindKey;
}

/** Reads the file; adds everything that is wrong with it to `problems`. */
export function readIssuers(path: string, parts: IssuerParts, problems: string[]): Issuers {
  const object = objectingTo('ISSUERS', path, problems);
  const form = z.array(formOfIssuer(path, parts)).refine(areDifferent, {
    error: 'it names an issuer twice; give all of it in one entry',
    when: ({ value }) => Array.isArray(value),
  });
  return new Map(readForm(path, form, object)?.map((each) => [each.issuer, each]));
}

/** Asked also of entries in which other things are wrong. */
function areDifferent(entries: readonly (Issuer | null)[]): boolean {
  const names = entries.map((each) => each?.issuer).filter((name) => name !== undefined);
  return new Set(names).size === names.length;
}

const formOfIssuer = (path: string, { knownRoles, ...parts }: IssuerParts) =>
  z.strictObject({
    issuer: z
      .string()
      .regex(
        /^[\x21-\x7b\x7d\x7e]{1,255}$/,
        'must be what tokens have in `iss`, to the letter: 1 to 255 visible ASCII characters without `|`',
      ),
    audience: z
      .union([z.string(), z.array(z.string())], audience)
      .transform((given) => [given].flat())
      .refine((all) => all.length > 0 && !all.includes(''), audience),
    keys: z.string().transform((keys, context) => keysAt(keys, path, parts, (why) => context.addIssue(why))),
    claims: z.strictObject({ name: z.string().min(1).default('name'), roles: z.string().min(1).default('roles') }),
    roles: z
      .record(
        z.string(),
        z.enum(knownRoles, {
          error: ({ input }) => `is no role of the file in ROLES${didYouMean(String(input), knownRoles)}`,
        }),
      )
      .transform((roles) => new Map(Object.entries(roles))),
    signIn: signIn.optional(),
  });

const audience =
  'must be what tokens for this gateway have in `aud`: a text, or a list of texts of which a token has one';

/** A browser sends people and their tokens there, so nobody may listen in between. */
const safeAddress = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return !url?.hash && (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname)));
}, 'must be an address that begins with https://');

/** Where a browser signs people in: that of a public client, which has no secret. */
const signIn = z.strictObject({
  clientId: z.string().min(1),
  authorize: safeAddress,
  token: safeAddress,
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope, without spaces'))
    .default(['openid']),
  label: z.string().min(1).max(60).optional(),
});

/** The keys at an address, or in a file from the folder of the file of issuers. */
function keysAt(
  keys: string,
  path: string,
  { rules, fetched }: Omit<IssuerParts, 'knownRoles'>,
  object: Objecting,
): FindKey {
  const isAddress = /^https?:/i.test(keys);
  const problem = isAddress && urlProblem(keys, rules);
  if (problem) object(problem);
  if (isAddress) return problem ? z.NEVER : fetched(keys);
  const inFile: Objecting = (why) => object(`names ${keys}, which cannot be used: ${why}`);
  return readForm(resolve(dirname(path), keys), keySet, inFile) ?? z.NEVER;
}
