/** What a caller gets by its roles. A feature says it; here stands what the gateway makes of it for keys. */
import type { Identity } from '../../change/context.js';
import { isObject } from '../../common/is-object.js';
import type { Current } from '../../common/kept.js';
import { didYouMean } from '../../common/nearest.js';
import { invalid, type Problem } from '../../model/errors/problem.js';
import { never } from '../../query/condition.js';
import { type Rights, subjectOf } from '../../query/rights.js';

/** What is said of a caller, by its issuer or by whoever made the key; names and values as in JSON. */
export type Claims = Readonly<Record<string, unknown>>;

export interface Person {
  /** As `subjectOf` gives it. */
  subject: string;
  claims: Claims;
}

export type Granted = Pick<Identity, 'scopes' | 'whyNone'> & { rights: Rights };

/** All roles that there are. */
export interface Grants {
  names: readonly string[];
  /** What roles allow together; those that are not known allow nothing. The same rights for all who may do the same. */
  granted(roles: readonly string[], person: Person): Granted;
}

/** Replaced whenever the roles were read anew. */
export type CurrentGrants = Current<Grants>;

const nothing: ReadonlySet<string> = new Set();
export const noRights: Rights = { rule: () => never, hidden: () => nothing, digest: 'none' };

/** By what stands for the gateways of this process in the contexts of requests. */
export const grantsOfGateways = new WeakMap<object, CurrentGrants>();

export const noGrants: Grants = {
  names: [],
  granted: () => ({
    ...{ scopes: [], rights: noRights },
    whyNone: 'It has roles, and this gateway knows none, because it runs without the setting ROLES.',
  }),
};

/** What a key may do, as it is stored: scopes with spaces between, or the JSON of roles and claims instead. */
export type StoredRights = Record<'scopes' | 'roles' | 'claims', unknown>;

export function rightsIn({ scopes, ...stored }: StoredRights): { scopes: string[]; roles: string[]; claims: Claims } {
  const [roles, claims] = [stored.roles, stored.claims].map((json): unknown => JSON.parse(String(json)));
  return {
    scopes: String(scopes).split(' ').filter(Boolean),
    roles: Array.isArray(roles) ? roles.map(String) : [],
    claims: isObject(claims) ? claims : {},
  };
}

/** What a key has: its own scopes, or what its roles give it. */
export function grantedToKey(
  keyId: string,
  stored: StoredRights,
  grants: Grants,
): Pick<Identity, 'scopes' | 'roles' | 'rights' | 'whyNone'> {
  const { scopes, roles, claims } = rightsIn(stored);
  if (stored.roles === null) return { scopes };
  return { roles, ...grants.granted(roles, { subject: subjectOf({ keyId }), claims }) };
}

/** A claim by its name, which may have dots itself, or else by the dots of claims within claims. */
export function claimIn(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  const [first = '', ...rest] = name.split('.');
  const outer = Object.hasOwn(claims, first) ? claims[first] : undefined;
  return rest.length > 0 && isObject(outer) ? claimIn(outer, rest.join('.')) : undefined;
}

/** What is wrong with roles that are given; where none are known, any may be. */
export const roleProblems = (
  roles: readonly string[],
  { names }: Pick<Grants, 'names'>,
  path: Problem['path'],
): Problem[] =>
  roles.flatMap((role, index) => {
    if (!isRoleName(role)) return [invalid([...path, index], 'is no name of a role')];
    if (names.length === 0 || names.includes(role)) return [];
    return [invalid([...path, index], `(\`${role}\`) is no role${didYouMean(role, names)}`)];
  });

export const isRoleName = (name: string): boolean => /^[^\s,\p{C}]{1,100}$/u.test(name);
