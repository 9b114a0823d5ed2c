/**
 * Creates, lists, rotates and revokes API keys, for the command line and for GraphQL. Changes take effect in every
 * process within a second; see `authenticator.ts`.
 */
import type { Database, TransactionClient } from '../../database/open-database.js';
import type { ApiKey, CreatedKey, KeyInput, Rotation } from '../../gateway/access/api-key.js';
import { hashOf, newSecret, publicIdOf } from '../../gateway/access/secret.js';
import { errors } from '../../model/errors/errors.js';
import type { PageArguments } from '../../query/extent.js';
import { newest, type OwnPage, ownPage } from '../../query/own-page.js';
import { idProblems, keyProblems, requireNoProblems, rotationProblems } from './key-problems.js';

/** @throws BAD_USER_INPUT */
export async function createKey(database: Pick<Database, 'transaction'>, input: KeyInput): Promise<CreatedKey> {
  const now = new Date();
  requireNoProblems(keyProblems(input, now));
  return database.transaction((tx) => insert(tx, input, now));
}

interface Listing {
  /** Leaves out expired and revoked keys. */
  usableOnly: boolean;
}

/** Newest first. */
export async function listKeys({ client }: Pick<Database, 'client'>, listing: Listing): Promise<ApiKey[]> {
  const rows = await client.apiKey.findMany({ where: listedBy(listing), orderBy: newest('desc') });
  return rows.map(apiKeyOf);
}

/** @throws BAD_USER_INPUT for a cursor of another list */
export function pageOfKeys(
  { client }: Pick<Database, 'client'>,
  listing: Listing,
  given: PageArguments,
): OwnPage<ApiKey> {
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
export async function revokeKey(database: Pick<Database, 'transaction'>, id: string): Promise<ApiKey> {
  return database.transaction(async (tx) => {
    const key = await find(tx, id);
    await tx.apiKey.updateMany({ where: { id: key.id, revokedAt: null }, data: { revokedAt: new Date() } });
    return find(tx, key.id);
  });
}

async function insert(
  client: TransactionClient,
  { name, scopes, expiresAt }: KeyInput,
  now: Date,
): Promise<CreatedKey> {
  const { id, secret } = newSecret();
  const data = { id, name, hash: hashOf(secret), scopes: [...new Set(scopes)].join(' '), createdAt: now, expiresAt };
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

type StoredKey = Omit<ApiKey, 'scopes'> & { scopes: string };

const apiKeyOf = ({ id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: StoredKey): ApiKey => ({
  id,
  name,
  scopes: scopes.split(' '),
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
});

const earlier = (one: Date | null, other: Date): Date => (one && one < other ? one : other);
