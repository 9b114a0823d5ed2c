/**
 * Creates, lists, rotates and revokes API keys, for the command line and for GraphQL. Changes take effect in every
 * process within a second; see `authenticator.ts`.
 */

import { didYouMean } from '../../common/nearest.js';
import type { Database, TransactionClient } from '../../database/open-database.js';
import { ENVIRONMENT_KEY, hashOf, newSecret, publicIdOf } from '../../gateway/access/authenticator.js';
import {
  type Claims,
  type Grants,
  noGrants,
  rightsIn,
  roleProblems,
  type StoredRights,
} from '../../gateway/access/grants.js';
import { errors } from '../../model/errors/errors.js';
import { inInput, invalid, nameProblems, objectIn, type Problem } from '../../model/errors/problem.js';
import { knownScopes, verbsOfArea } from '../../model/scopes.js';
import { newest, ownPage } from '../../query/own-page.js';
import type { Page, PageArguments } from '../../query/page.js';

/** A key without its hash, safe to show. */
export interface ApiKey {
  /** The public prefix of the secret; `environment` for the key in the setting API_KEY. */
  id: string;
  name: string;
  /** Its own; none where it has roles. */
  scopes: string[];
  roles: string[];
  /** What the rules of its roles may ask of it. */
  claims: Claims;
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

export interface KeyInput {
  name: string;
  scopes?: readonly string[] | null | undefined;
  /** In place of scopes, which they give it. */
  roles?: readonly string[] | null | undefined;
  /** As JSON. */
  claims?: string | null | undefined;
  /** Null or left out: the key is valid until it is revoked. */
  expiresAt?: Date | null;
}

export function stateOf({ revokedAt, expiresAt }: ApiKey, now = Date.now()): 'active' | 'expired' | 'revoked' {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt.getTime() <= now ? 'expired' : 'active';
}

/** Roles are to be among those that `grants` has, if it has some. @throws BAD_USER_INPUT */
export async function createKey(
  database: Database,
  input: KeyInput,
  grants: Pick<Grants, 'names'> = noGrants,
): Promise<CreatedKey> {
  const now = new Date();
  const problems: Problem[] = [];
  const claims = objectIn(input.claims, ['claims'], problems);
  requireNoProblems([...problems, ...keyProblems(input, claims, now, grants)].map(inInput));
  const { name, scopes, roles, expiresAt } = input;
  const terms = { name, scopes: scopes ?? [], roles: roles ?? [], claims, expiresAt: expiresAt ?? null };
  return database.transaction((tx) => insert(tx, terms, now));
}

interface Listing {
  /** Leaves out expired and revoked keys. */
  usableOnly: boolean;
}

/** Newest first. */
export async function listKeys({ client }: Database, listing: Listing): Promise<ApiKey[]> {
  const rows = await client.apiKey.findMany({ where: listedBy(listing), orderBy: newest('desc') });
  return rows.map(apiKeyOf);
}

/** @throws BAD_USER_INPUT for a cursor of another list */
export function pageOfKeys({ client }: Database, listing: Listing, given: PageArguments): Page<ApiKey> {
  const listed = listedBy(listing);
  return ownPage(
    {
      name: 'apiKeys',
      isTimed: true,
      read: async ({ where, order, ...range }) => {
        const rows = client.apiKey.findMany({ where: { AND: [listed, ...where] }, orderBy: newest(order), ...range });
        return (await rows).map(apiKeyOf);
      },
      count: () => client.apiKey.count({ where: listed }),
    },
    given,
  );
}

const listedBy = ({ usableOnly }: Listing) =>
  usableOnly ? { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] } : {};

/** The keys with these ids, also those that have ended. */
export async function keysById(
  { client }: Pick<Database, 'client'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ApiKey>> {
  const rows = await client.apiKey.findMany({ where: { id: { in: [...ids] } } });
  return new Map(rows.map((row) => [row.id, apiKeyOf(row)]));
}

/**
 * Creates a key with the name and scopes of another one. The old key expires after the overlap, or earlier if it would
 * have expired anyway. @throws NOT_FOUND, BAD_USER_INPUT
 */
export async function rotateKey(database: Database, id: string, rotation: Rotation): Promise<CreatedKey> {
  return database.transaction(async (tx) => {
    const now = new Date();
    const old = await find(tx, id);
    requireNoProblems(rotationProblems(old, rotation, now));
    const end = new Date(now.getTime() + rotation.overlapSeconds * 1000);
    const where = { id: old.id, revokedAt: null, expiresAt: old.expiresAt };
    // The condition detects a concurrent rotation: the second one is repeated.
    const { count } = await tx.apiKey.updateMany({ where, data: { expiresAt: earlier(old.expiresAt, end) } });
    if (count === 0) throw errors.unavailable('busy');
    const { expiresAt = old.expiresAt } = rotation;
    const created = await insert(tx, { ...old, expiresAt }, now);
    // Webhooks have the scopes of a key, and would end with it.
    const data = { keyId: created.apiKey.id, revision: { increment: 1 } };
    await tx.webhook.updateMany({ where: { keyId: old.id }, data });
    return created;
  });
}

/** Revokes a key permanently; an already revoked key stays unchanged. @throws NOT_FOUND */
export async function revokeKey(database: Database, id: string): Promise<ApiKey> {
  return database.transaction(async (tx) => {
    const key = await find(tx, id);
    await tx.apiKey.updateMany({ where: { id: key.id, revokedAt: null }, data: { revokedAt: new Date() } });
    return find(tx, key.id);
  });
}

type Terms = Pick<ApiKey, 'name' | 'claims' | 'expiresAt'> & Record<'scopes' | 'roles', readonly string[]>;

async function insert(client: TransactionClient, terms: Terms, now: Date): Promise<CreatedKey> {
  const { name, expiresAt } = terms;
  const { id, secret } = newSecret();
  const byRoles = terms.roles.length > 0 && {
    roles: JSON.stringify([...new Set(terms.roles)]),
    claims: JSON.stringify(terms.claims),
  };
  const scopes = [...new Set(terms.scopes)].join(' ');
  const data = { id, name, scopes, ...byRoles, hash: hashOf(secret), createdAt: now, expiresAt };
  return { apiKey: apiKeyOf(await client.apiKey.create({ data })), secret };
}

/** Finds a key by its id or by its secret, so that somebody who finds a leaked secret can revoke it. */
async function find(client: TransactionClient, given: string): Promise<ApiKey> {
  const id = publicIdOf(given) ?? given;
  requireNoProblems(idProblems(id));
  const row = await client.apiKey.findUnique({ where: { id } });
  if (!row) throw errors.notFound('API key', id);
  return apiKeyOf(row);
}

type StoredKey = Omit<ApiKey, keyof StoredRights> & StoredRights;

const apiKeyOf = ({ id, name, createdAt, expiresAt, revokedAt, lastUsedAt, ...stored }: StoredKey): ApiKey => ({
  id,
  name,
  ...rightsIn(stored),
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
});

const earlier = (one: Date | null, other: Date): Date => (one && one < other ? one : other);

/** Ninety days, in seconds: a longer overlap would not be a rotation. */
export const longestOverlap = 90 * 24 * 60 * 60;

const longestClaims = 8_000;

function keyProblems(input: KeyInput, claims: Claims, now: Date, grants: Pick<Grants, 'names'>): Problem[] {
  const [scopes, roles] = [input.scopes ?? [], input.roles ?? []];
  const problems = [...nameProblems(input.name), ...endProblems(input.expiresAt, now)];
  if (Number(input.claims?.length) > longestClaims)
    problems.push(invalid(['claims'], `must have ${longestClaims} characters at most`));
  if (roles.length === 0 && Object.keys(claims).length > 0)
    problems.push(invalid(['claims'], 'are for the rules of roles; name a role'));
  if (roles.length === 0) return [...problems, ...scopeProblems(scopes)];
  if (scopes.length > 0)
    problems.push(invalid(['scopes'], 'cannot be given together with roles, which bring their scopes'));
  return [...problems, ...roleProblems(roles, grants, ['roles'])];
}

function rotationProblems(key: ApiKey, { overlapSeconds, expiresAt }: Rotation, now: Date): Problem[] {
  return [
    ...(key.id === ENVIRONMENT_KEY
      ? [invalid(['id'], 'is the key of the setting API_KEY; start the gateway with another value to replace it')]
      : []),
    ...(stateOf(key, now.getTime()) === 'active' ? [] : [invalid(['id'], 'is a key that has ended; make a new one')]),
    ...(Number.isInteger(overlapSeconds) && overlapSeconds >= 0 && overlapSeconds <= longestOverlap
      ? []
      : [invalid(['overlapSeconds'], `must be a whole number from 0 to ${longestOverlap}, which is 90 days`)]),
    ...endProblems(expiresAt, now),
  ];
}

/** Anything else may be a secret, so it is refused before an error could quote it. */
function idProblems(id: string): Problem[] {
  if (id === ENVIRONMENT_KEY || /^brg_[0-9a-z]{12}$/.test(id)) return [];
  return [invalid(['id'], 'must be the id of a key: `brg_` and twelve characters')];
}

function requireNoProblems(problems: Problem[]): void {
  if (problems.length > 0) throw errors.badInput(problems);
}

/** The first problem also lists all valid scopes. */
function scopeProblems(scopes: readonly string[]): Problem[] {
  const problems = scopes.flatMap((scope, index) =>
    known.has(scope) ? [] : [invalid(['scopes', index], unknownScope(scope))],
  );
  if (scopes.length === 0) problems.push(invalid(['scopes'], 'must name at least one scope'));
  const [first, ...others] = problems;
  if (!first) return [];
  const message = `${`${first.message}.`.replace('?.', '?')} The scopes are ${list}`;
  return [{ ...first, message, details: { knownScopes } }, ...others];
}

function unknownScope(scope: string): string {
  if (!/^[\w*:-]{1,40}$/.test(scope)) return 'is not a scope';
  return `(\`${scope}\`) is not a scope${didYouMean(scope, known)}`;
}

function endProblems(expiresAt: Date | null | undefined, now: Date): Problem[] {
  const isFine = !expiresAt || (expiresAt > now && expiresAt.getUTCFullYear() <= 9999);
  return isFine ? [] : [invalid(['expiresAt'], 'must lie in the future, before the year 10000')];
}

const known: ReadonlySet<string> = new Set(knownScopes);
const areas = [...verbsOfArea].map(([area, verbs]) => `\`${area}:${verbs.join('|')}\``);
const list = ['`*`', '`admin`', '`webhooks`', ...areas].join(', ');
