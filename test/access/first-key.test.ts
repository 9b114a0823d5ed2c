import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Current } from '../../src/common/kept.js';
import { type OpenedDatabase, openDatabase } from '../../src/database/open-database.js';
import { revokeKey } from '../../src/features/keys/api-keys.js';
import { createAuthenticator, ensureFirstKey } from '../../src/gateway/access/authenticator.js';
import { noGrants } from '../../src/gateway/access/grants.js';
import { databaseInTurn, freshDatabaseUrl } from '../support/database.js';

describe.each(databaseInTurn(import.meta.filename))('the first key, on %s', (provider) => {
  let database: OpenedDatabase;
  beforeAll(async () => {
    database = await openDatabase({ url: await freshDatabaseUrl(provider), migrate: true });
  });
  beforeEach(() => database.client.apiKey.deleteMany());
  afterAll(() => database.close());

  /** Asked anew, as after a restart. */
  const opens = async (secret: string) => {
    try {
      return (
        await createAuthenticator(
          database,
          () => {},
          Current.of(noGrants),
        )({ headers: { authorization: `Bearer ${secret}` } })()
      ).keyId;
    } catch {
      return false;
    }
  };

  test('is created if there is none, is shown once, and works', async () => {
    const secret = await ensureFirstKey(database, undefined);
    expect(secret).toMatch(/^brg_[0-9a-z]{12}_[0-9a-z]{52}$/);
    expect(await opens(secret ?? '')).toBe(secret?.slice(0, 16));
    expect(await ensureFirstKey(database, undefined)).toBeUndefined();
    expect(await database.client.apiKey.count()).toBe(1);
  });

  test('is stored only as a hash', async () => {
    const secret = (await ensureFirstKey(database, undefined)) ?? '';
    const stored = JSON.stringify(await database.client.apiKey.findMany());
    expect(stored).not.toContain(secret.slice(17));
    expect(stored).toContain(secret.slice(0, 16));
  });

  test('is not made where API_KEY names one, which opens as `environment` and is kept as a hash only', async () => {
    expect(await ensureFirstKey(database, 'first-key-of-the-environment')).toBeUndefined();
    expect(await opens('first-key-of-the-environment')).toBe('environment');
    expect(JSON.stringify(await database.client.apiKey.findMany())).not.toContain('first-key-of-the-environment');
  });

  test('API_KEY with another value replaces the old one', async () => {
    await ensureFirstKey(database, 'first-key-of-the-environment');
    await ensureFirstKey(database, 'second-key-of-the-environment');
    expect(await opens('first-key-of-the-environment')).toBe(false);
    expect(await opens('second-key-of-the-environment')).toBe('environment');
  });

  test('a start without API_KEY takes its key away, and makes one if no other is left', async () => {
    await ensureFirstKey(database, 'first-key-of-the-environment');
    const made = await ensureFirstKey(database, undefined);
    expect(await opens('first-key-of-the-environment')).toBe(false);
    expect(await opens(made ?? '')).toBeTruthy();
  });

  test('a key that was made stays good beside API_KEY, also when API_KEY looks like one of ours', async () => {
    const made = (await ensureFirstKey(database, undefined)) ?? '';
    const looksAlike = `${made.slice(0, 17)}${'0'.repeat(52)}`;
    await ensureFirstKey(database, looksAlike);
    expect(await opens(made)).toBe(made.slice(0, 16));
    expect(await opens(looksAlike)).toBe('environment');
  });

  test('may do everything, the administration of keys included, whichever of the two it is', async () => {
    await ensureFirstKey(database, undefined);
    await ensureFirstKey(database, 'first-key-of-the-environment');
    const keys = await database.client.apiKey.findMany();
    expect(keys.map(({ scopes }) => scopes)).toEqual(['* admin webhooks', '* admin webhooks']);
  });

  test('API_KEY with a value that was revoked stays revoked, also when it was left out in between', async () => {
    await ensureFirstKey(database, 'first-key-of-the-environment');
    await revokeKey(database, 'environment');
    for (const apiKey of ['first-key-of-the-environment', undefined, 'first-key-of-the-environment']) {
      expect(await ensureFirstKey(database, apiKey)).toBeUndefined();
      expect(await opens('first-key-of-the-environment')).toBe(false);
    }
    await ensureFirstKey(database, 'second-key-of-the-environment');
    expect(await opens('second-key-of-the-environment')).toBe('environment');
  });

  test('several processes may start at once with the same API_KEY', async () => {
    await Promise.all(Array.from({ length: 5 }, () => ensureFirstKey(database, 'first-key-of-the-environment')));
    expect(await database.client.apiKey.count()).toBe(1);
    expect(await opens('first-key-of-the-environment')).toBe('environment');
  });
});
