/**
 * The administration of API keys: make, list, rotate, revoke. Both the command line and GraphQL come through here. What
 * is changed holds in every process within a second, see `authenticate.ts`.
 */
import type { Database, TransactionClient } from '../database/open.js';
import { errors } from '../errors.js';
import type { ApiKey, KeyInput, MadeKey, Rotation } from './api-key.js';
import { idProblems, keyProblems, refuse, rotationProblems } from './key-problems.js';
import { hashOf, newSecret, publicIdOf } from './secret.js';

/** @throws BAD_USER_INPUT */
export async function createKey({ client }: Pick<Database, 'client'>, input: KeyInput): Promise<MadeKey> {
  const now = new Date();
  refuse(keyProblems(input, now));
  return insert(client, input, now);
}

/** Newest first. `usableOnly` leaves out those that open nothing any more. */
export async function listKeys(
  { client }: Pick<Database, 'client'>,
  { usableOnly, limit, offset }: { usableOnly: boolean; limit?: number; offset?: number },
): Promise<ApiKey[]> {
  const usable = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] };
  const rows = await client.apiKey.findMany({
    where: usableOnly ? usable : {},
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit,
    skip: offset,
  });
  return rows.map(shown);
}

/**
 * Makes a key with the name and the scopes of another, which ends after the overlap or when it would have ended anyway.
 * @throws NOT_FOUND, BAD_USER_INPUT
 */
export async function rotateKey(database: Database, id: string, rotation: Rotation): Promise<MadeKey> {
  return database.transaction(async (tx) => {
    const now = new Date();
    const old = await find(tx, id);
    refuse(rotationProblems(old, rotation, now));
    const end = new Date(now.getTime() + rotation.overlapSeconds * 1000);
    const where = { id: old.id, revokedAt: null, expiresAt: old.expiresAt };
    // Only as it was read: of two rotations at once the second begins again.
    const { count } = await tx.apiKey.updateMany({ where, data: { expiresAt: earlier(old.expiresAt, end) } });
    if (count === 0) throw errors.unavailable('busy');
    const { expiresAt = old.expiresAt } = rotation;
    return insert(tx, { ...old, expiresAt }, now);
  });
}

/** Ends a key for good. A key that has been revoked before stays as it is. @throws NOT_FOUND */
export async function revokeKey(database: Pick<Database, 'transaction'>, id: string): Promise<ApiKey> {
  return database.transaction(async (tx) => {
    const key = await find(tx, id);
    await tx.apiKey.updateMany({ where: { id: key.id, revokedAt: null }, data: { revokedAt: new Date() } });
    return find(tx, key.id);
  });
}

async function insert(client: TransactionClient, { name, scopes, expiresAt }: KeyInput, now: Date): Promise<MadeKey> {
  const { id, secret } = newSecret();
  const data = { id, name, hash: hashOf(secret), scopes: [...new Set(scopes)].join(' '), createdAt: now, expiresAt };
  return { apiKey: shown(await client.apiKey.create({ data })), secret };
}

/** The key with the id, or with the secret: whoever has found one lying about can hand it in as it is. */
async function find(client: TransactionClient, given: string): Promise<ApiKey> {
  const id = publicIdOf(given) ?? given;
  refuse(idProblems(id));
  const row = await client.apiKey.findUnique({ where: { id } });
  if (!row) throw errors.notFound('API key', id);
  return shown(row);
}

type Row = Omit<ApiKey, 'scopes'> & { scopes: string };

const shown = ({ id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt }: Row): ApiKey => ({
  id,
  name,
  scopes: scopes.split(' '),
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
});

const earlier = (one: Date | null, other: Date): Date => (one && one < other ? one : other);
