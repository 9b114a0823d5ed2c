/** What a caller gets by its roles. A feature says it; here stands what the gateway makes of it for keys. */
import type { Identity } from '../../change/context.js';
import { isObject } from '../../common/is-object.js';
import type { Current } from '../../common/kept.js';
import { readJson } from '../../common/read-json.js';
import { never } from '../../query/condition.js';
import { type Rights, subjectOf } from '../../query/rights.js';

/** What is said of a caller, by its issuer or by whoever made the key; names and values as in JSON. */
export type Claims = Readonly<Record<string, unknown>>;

/** Whose roles are asked for. */
export interface Person {
  /** As `subjectOf` gives it. */
  subject: string;
  claims: Claims;
}

export interface Granted {
  scopes: readonly string[];
  rights: Rights;
}

/** All roles that there are. */
export interface Grants {
  names: readonly string[];
  /** What roles allow together; those that are not known allow nothing. The same rights for all who may do the same. */
  granted(roles: readonly string[], person: Person): Granted;
}

/** Replaced whenever the roles were read anew; undefined where there are none. */
export type CurrentGrants = Current<Grants | undefined>;

/** By what stands for the gateways of this process in the contexts of requests. */
export const grantsOfGateways = new WeakMap<object, CurrentGrants>();

/** The roles and claims of a key, as they are stored. */
export interface StoredRoles {
  roles: string | null;
  claims: string | null;
}

const nothing: ReadonlySet<string> = new Set();
export const noRights: Rights = { rule: () => never, hidden: () => nothing, digest: 'none' };

/** What a key has by its roles, instead of scopes of its own. */
export function grantedToKey(
  keyId: string,
  stored: StoredRoles,
  grants: Grants | undefined,
): Pick<Identity, 'roles' | 'scopes' | 'rights' | 'whyNone'> {
  const roles = rolesIn(stored) ?? [];
  if (!grants) return { roles, scopes: [], rights: noRights, whyNone: noRoles };
  const { scopes, rights } = grants.granted(roles, { subject: subjectOf({ keyId }), claims: claimsIn(stored) });
  const isKnown = roles.some((role) => grants.names.includes(role));
  return { roles, scopes, rights, whyNone: isKnown ? undefined : unknownRoles };
}

const noRoles = 'It has roles, and this gateway knows none, because it runs without the setting ROLES.';
const unknownRoles = 'It has roles, and none of them is in the file of the setting ROLES.';

/** Undefined for a key without roles, which its own scopes limit. */
export function rolesIn({ roles }: Pick<StoredRoles, 'roles'>): string[] | undefined {
  if (roles === null) return undefined;
  const read: unknown = JSON.parse(roles);
  return Array.isArray(read) ? read.map(String) : [];
}

export function claimsIn({ claims }: Pick<StoredRoles, 'claims'>): Claims {
  const read: unknown = claims === null ? {} : JSON.parse(claims);
  return isObject(read) ? read : {};
}

/** A claim as it is given: a text, or the JSON of a list, an object or a text in quotes. @throws for what is no JSON */
export const claimOf = (given: string): unknown => (/^["[{]/.test(given) ? readJson(given) : given);

export const isRoleName = (name: string): boolean => /^[^\s,\p{C}]{1,100}$/u.test(name);
