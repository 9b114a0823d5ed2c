/** Which addresses of a database are taken, and what is said of the others. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addressForLibpq, readAddress, withoutPasswords } from '../../src/database/database-url.js';
import { records } from '../commands/records.js';
import { freshFolder } from '../support/database.js';
import { startProcess } from '../support/process.js';

const place = 'postgresql://user:canary@db.example/records';

async function problemWith(url: string, folder = freshFolder()): Promise<string> {
  const { code, text, problem } = await records(['migrate', 'status'], { DATABASE_URL: url }, folder);
  expect([code, text]).toEqual([2, '']);
  expect(problem).not.toContain('canary');
  expect(readdirSync(folder)).toEqual([]);
  return problem;
}

describe('a character of a password that is not escaped', () => {
  test.each([
    ['#', 'postgresql://user:can#canary@db.example/records'],
    ['# after digits', 'postgresql://user:12#canary@db.example/records'],
    ['/', 'postgresql://user:can/canary@db.example/records'],
    ['/ after digits', 'postgresql://user:12/canary@db.example/records'],
    ['@', 'postgresql://user:can@canary@db.example/records'],
    ['?', 'postgresql://user:12?canary@db.example/records'],
    ['%', 'postgresql://user:%zzcanary@db.example/records'],
    [':', 'postgresql://user@db:canary:x/records'],
    ['[', 'postgresql://user:secret@[canary'],
    ['& of a parameter', 'postgresql://user@db.example/records?password=a&canary=b'],
  ])('is said so and nothing of it is printed: %s', async (_name, url) => {
    expect(await problemWith(url)).toMatch(/^error: DATABASE_URL (has|is not) .*\n/);
  });

  test('is named, with what it is to be', async () => {
    expect(await problemWith('postgresql://user:a#canary@db/records')).toContain('has a # that is not escaped. In a');
    expect(await problemWith('postgresql://user:a@canary@db/records')).toContain('It has two @. In a user name');
    expect(await problemWith('postgresql://user:a/canary@db/records')).toContain('It has a / or ? before an @.');
  });
});

test('a password that is escaped is taken as it is', () => {
  expect(readAddress('postgresql://us%40er:%23%40%2F%3F%25:x@[::1]:5433/re%20cords?sslmode=require')).toMatchObject({
    user: 'us@er',
    password: '#@/?%:x',
    host: '::1',
    port: 5433,
    database: 're cords',
    parameters: { sslmode: 'require', schema: 'public', connection_limit: 10 },
  });
  expect(readAddress('postgresql://user@/records?host=/run/postgresql')).toMatchObject({ host: '/run/postgresql' });
  expect(readAddress('postgres://')).toMatchObject({ host: undefined, user: undefined, database: undefined });
});

describe('a parameter', () => {
  test.each([
    ['sllmode=require', /the parameter sllmode, which is unknown\. Known are .*sslmode/],
    ['SSLMODE=require', /the parameter SSLMODE, which is unknown/],
    ['sslmode=no-verify', /sslmode, which must be disable, allow, prefer, require, verify-ca or verify-full/],
    ['connection_limit=-1', /connection_limit, which must be a whole number from 1 to 1000/],
    ['connection_limit=1e9', /connection_limit, which must be a whole number from 1 to 1000/],
    ['connection_limit=1000000000', /connection_limit, which must be a whole number from 1 to 1000/],
    ['connection_limit=', /connection_limit, which must be a whole number/],
    ['lock_timeout=soon', /lock_timeout, which must be a whole number from 0 to/],
    ['statement_timeout=-1', /statement_timeout, which must be/],
    ['profile=other', /profile, which must be distributed/],
    ['pgbouncer=maybe', /pgbouncer, which must be true or false/],
    ['schema=', /schema, which must not be empty\.\n/],
    ['application_name=', /application_name, which must not be empty\.\n/],
    ['schema=a%22b', /schema, which must be the name of a schema/],
    ['schema=$user', /schema, which must be the name of a schema: write the name of the user instead of \$user/],
    ['sslcert=a.crt', /has sslcert without sslkey: a certificate of the client and its key belong together/],
    ['sslkey=a.key', /has sslkey without sslcert: a certificate/],
    ['schema=pg_catalog', /schema, which must be the name of a schema/],
    ['options=-c%20search_path%3Dother', /options, which must not set search_path: write \?schema=/],
    ['channel_binding=maybe', /channel_binding, which must be disable, prefer or require/],
    ['port=99999', /port, which must be/],
  ])('is refused by its name where it or its value is unknown: %s', async (parameter, message) => {
    expect(await problemWith(`${place}?${parameter}`)).toMatch(message);
  });

  test('of each of the addresses is checked', async () => {
    for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL']) {
      const { code, problem } = await records(['config'], { DATABASE_URL: place, [name]: `${place}?sslmod=x` });
      expect([code, problem]).toEqual([
        2,
        expect.stringContaining(`${name} has the parameter sslmod, which is unknown`),
      ]);
    }
  });
});

test.each(['postgresql://one,two/records', 'postgresql://db:0/records', 'postgresql://db:99999/records'])(
  'a place that is none is refused: %s',
  async (url) => {
    expect(await problemWith(url)).toMatch(/DATABASE_URL (names several hosts|has a port)/);
  },
);

test.each([
  ['file:r.db?mode=ro', /has parameters after a \?/],
  ['file::memory:', /a database in memory would lose every record/],
  ['file:', /must name a file/],
  ['file://other.example/r.db', /no address of a file on this machine/],
  ['file:///r.db#x', /no address of a file/],
  ['r.db', /must begin with file: \(SQLite\) or postgresql:\/\/ \(PostgreSQL\)/],
  ['mysql://u:canary@db/records', /must begin with file:/],
])('%s makes no database of that name', async (url, message) => {
  expect(await problemWith(url)).toMatch(message);
});

test('a gateway with a wrong address ends with 2 and one line', async () => {
  const gateway = startProcess({ DATABASE_URL: `${place}?connection_limit=1e9` });
  expect(await gateway.ended).toBe(2);
  expect(gateway.log()).toMatch(
    /^error: DATABASE_URL has the parameter connection_limit, .*\n`records serve --help` says how.\n$/,
  );
});

test('`config --libpq` prints the address without what the programs of PostgreSQL do not know', async () => {
  const parameters = 'schema=a&sslmode=verify-full&connection_limit=4&options=-c%20work_mem%3D8MB&profile=distributed';
  const DATABASE_URL = `${place}?${parameters}&pgbouncer=true&lock_timeout=1&statement_timeout=2`;
  const { code, text } = await records(['config', '--libpq'], { DATABASE_URL });
  expect([code, text]).toEqual([0, `${place}?sslmode=verify-full&options=-c%20work_mem%3D8MB&sslrootcert=system\n`]);
  expect(addressForLibpq(place)).toBe(place);
  const second = `${place}?application_name=a?b&sslmode=verify-full&sslrootcert=c?d`;
  expect(readAddress(second).parameters).toMatchObject({ application_name: 'a?b', sslmode: 'verify-full' });
  expect(readAddress(addressForLibpq(second)).parameters).toEqual(readAddress(second).parameters);
  expect((await records(['config', '--libpq'])).problem).toContain('is an SQLite file');
});

test('passwords are masked wherever they are', () => {
  const url = 'postgresql://user:canary@/records?host=/run&password=canary&sslpassword=canary&sslmode=allow';
  expect(withoutPasswords(url, '*')).toBe(
    'postgresql://user:*@/records?host=/run&password=*&sslpassword=*&sslmode=allow',
  );
  expect(withoutPasswords(`${place}?p%61ssword=canary&%73slpassword=canary&host=db`, '*')).not.toContain('canary');
});
