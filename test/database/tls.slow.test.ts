/** TLS to real servers, with certificates that `openssl` makes: what each `sslmode` takes and refuses. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseStartError, openDatabase } from '../../src/database/open-database.js';
import { own } from '../support/patroni/process.js';
import { type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { startProcess } from '../support/process.js';
import { scratchFolder } from '../support/scratch.js';

let folder: string;
let server: PostgresqlServer;
let plain: PostgresqlServer;

const file = (name: string): string => join(folder, name);
const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'pipe' });

/** A certificate for `host`, signed by the authority. */
function certificate(name: string, host: string): void {
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=${/^[\d.]+$/.test(host) ? 'IP' : 'DNS'}:${host}`];
  openssl('req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`, '-out', `${name}.csr`, ...subject);
  const sign = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-copy_extensions', 'copy'];
  openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.crt`, ...sign);
}

beforeAll(async () => {
  folder = mkdtempSync(join(scratchFolder(), 'tls-'));
  for (const [name, days] of [
    ['ca', '2'],
    ['other', '2'],
  ] as const) {
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.crt`,
      '-days',
      days,
      '-subj',
      `/CN=${name}`,
    );
  }
  certificate('server', '127.0.0.1');
  certificate('client', 'postgres');
  plain = await startPostgresql();
  server = await startPostgresql();
  for (const name of ['server.crt', 'server.key', 'ca.crt']) {
    const path = join(server.folder, name);
    writeFileSync(path, readFileSync(file(name)), { mode: 0o600 });
    chmodSync(path, 0o600);
    own(path);
  }
  await server.pause();
  appendFileSync(join(server.folder, 'postgresql.conf'), "\nssl = on\nssl_ca_file = 'ca.crt'\n");
  await server.resume();
}, 120_000);
afterAll(async () => {
  await Promise.all([server?.stop(), plain?.stop()]);
});

/** Which connections the server takes: the lines of its pg_hba.conf. */
async function allow(...lines: string[]): Promise<void> {
  const path = join(server.folder, 'pg_hba.conf');
  const before = readFileSync(path);
  const reload = () => process.kill(server.pid(), 'SIGHUP');
  writeFileSync(path, `${lines.join('\n')}\n`);
  reload();
  onTestFinished(async () => {
    writeFileSync(path, before);
    reload();
  });
  await expect
    .poll(async () => (await outcome(server, 'sslmode=disable')) === '')
    .toBe(lines.some((line) => /^host /.test(line)));
}

/** The error of a start; '' if it succeeds, 'encrypted' if its connections are. */
async function outcome({ url }: PostgresqlServer, parameters = ''): Promise<string> {
  try {
    const database = await openDatabase({ url: `${url}?${parameters}`, migrate: true });
    const rows = await Promise.all(
      Array.from({ length: 4 }, () =>
        database.read('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()', [], 'bounded'),
      ),
    );
    const prisma = await database.client.$queryRawUnsafe<{ ssl: boolean }[]>(
      'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()',
    );
    await database.close();
    const all = [...rows.map((each) => each[0]?.[0]), prisma[0]?.ssl];
    expect(new Set(all).size).toBe(1);
    return all[0] ? 'encrypted' : '';
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    expect(message).not.toMatch(/\n/);
    expect(message).toMatch(/^PostgreSQL at 127.0.0.1:\d+ |^The TLS connection to PostgreSQL at |The file /);
    return message;
  }
}

describe('a server with TLS', () => {
  test.each([
    ['', ''],
    ['sslmode=disable', ''],
    ['sslmode=allow', 'encrypted'],
    ['sslmode=prefer', 'encrypted'],
    ['sslmode=require', 'encrypted'],
  ])('is taken with "%s", whoever has signed its certificate', async (parameters, found) => {
    expect(await outcome(server, parameters)).toBe(found);
  });

  test.each(['require', 'verify-ca', 'verify-full'])('is verified with sslmode=%s and an authority', async (mode) => {
    expect(await outcome(server, `sslmode=${mode}&sslrootcert=${file('ca.crt')}`)).toBe('encrypted');
    expect(await outcome(server, `sslmode=${mode}&sslrootcert=${file('other.crt')}`)).toMatch(
      /The TLS connection .* failed: .*\(.*CERT.*\)\. Check sslmode, sslrootcert/,
    );
  });

  test.each(['verify-ca', 'verify-full'])(
    'is verified by the authorities of Node with sslmode=%s alone',
    async (mode) => {
      expect(await outcome(server, `sslmode=${mode}`)).toMatch(/The TLS connection .* failed: /);
    },
  );

  test('has the name of its certificate only with verify-full', async () => {
    const elsewhere = { ...server, url: server.url.replace('127.0.0.1', 'localhost') };
    expect(await outcome(elsewhere, `sslmode=verify-ca&sslrootcert=${file('ca.crt')}`)).toBe('encrypted');
    const { message } = (await openDatabase({
      url: `${elsewhere.url}?sslmode=verify-full&sslrootcert=${file('ca.crt')}`,
      migrate: true,
    }).catch((error: Error) => error)) as Error;
    expect(message).toMatch(/failed: .*localhost.* \(ERR_TLS_CERT_ALTNAME_INVALID\).*verify-full wants the host/);
  });

  test('that takes encrypted connections only says so, and is reached by allow and prefer', async () => {
    await allow('hostssl all all all scram-sha-256');
    expect(await outcome(server, 'sslmode=disable')).toMatch(
      /takes encrypted connections only \(no pg_hba.conf entry .*\)\. Add sslmode=verify-full/,
    );
    for (const mode of ['allow', 'prefer', 'require'])
      expect(await outcome(server, `sslmode=${mode}`)).toBe('encrypted');
  });

  test('that asks for a certificate of the client gets it', async () => {
    await allow('hostssl all all all scram-sha-256 clientcert=verify-full');
    expect(await outcome(server, 'sslmode=require')).toMatch(/certificate/);
    const client = `sslcert=${file('client.crt')}&sslkey=${file('client.key')}`;
    expect(await outcome(server, `sslmode=require&${client}`)).toBe('encrypted');
  });
});

describe('channel_binding=require', () => {
  const missing = /offers no channel binding, which channel_binding=require asks for/;

  test('is kept by a server with TLS and a password by SCRAM', async () => {
    await allow('hostssl all all all scram-sha-256');
    for (const mode of ['prefer', 'require']) {
      expect(await outcome(server, `sslmode=${mode}&channel_binding=require`)).toBe('encrypted');
    }
  });

  test.each(['trust', 'password'])('refuses a server that asks for %s', async (method) => {
    await allow(`hostssl all all all ${method}`);
    expect(await outcome(server, 'sslmode=require')).toBe('encrypted');
    expect(await outcome(server, 'sslmode=require&channel_binding=prefer')).toBe('encrypted');
    expect(await outcome(server, 'sslmode=require&channel_binding=require')).toMatch(missing);
  });

  test('refuses a connection that is not encrypted', async () => {
    expect(await outcome(server, 'sslmode=disable&channel_binding=require')).toMatch(missing);
    expect(await outcome(plain, 'sslmode=prefer&channel_binding=require')).toMatch(missing);
  });
});

test('with channel_binding=require no server gets the password in clear', async () => {
  let received = '';
  const asking = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void asking.close());
  await once(asking, 'listening');
  const { port } = Object(asking.address());
  const url = `postgresql://u:canary@127.0.0.1:${port}/records?channel_binding=`;
  await expect(openDatabase({ url: `${url}require`, migrate: true })).rejects.toThrow('offers no channel binding');
  expect(received).toContain('records');
  expect(received).not.toContain('canary');
});

test.each(['HTTP/1.1 400 Bad Request\r\n\r\n', 'SSH-2.0-x\r\n'])(
  'a server that is no PostgreSQL: %j',
  async (answer) => {
    const other = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end(answer));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const url = `postgresql://u@127.0.0.1:${Object(other.address()).port}/records?sslmode=`;
    for (const mode of ['prefer', 'require']) {
      const opened = openDatabase({ url: `${url}${mode}`, migrate: true });
      await expect(opened).rejects.toThrow(/^What answers at 127\.0\.0\.1:\d+ is no PostgreSQL, or refuses TLS/);
    }
    await expect(openDatabase({ url: `${url}disable`, migrate: true })).rejects.toBeInstanceOf(DatabaseStartError);
  },
);

describe('a server without TLS', () => {
  test.each(['disable', 'allow', 'prefer'])('is taken with sslmode=%s', async (mode) => {
    expect(await outcome(plain, `sslmode=${mode}`)).toBe('');
  });

  test.each(['require', 'verify-ca', 'verify-full'])('is refused with sslmode=%s', async (mode) => {
    expect(await outcome(plain, `sslmode=${mode}`)).toMatch(
      /has no TLS, which sslmode asks for. Turn it on in the server/,
    );
  });
});

test('a file of a certificate that cannot be read is one line, with exit code 2 and no warning of Node', async () => {
  const gateway = startProcess({ DATABASE_URL: `${server.url}?sslmode=verify-full&sslrootcert=/nowhere/ca.crt` });
  expect(await gateway.ended).toBe(2);
  expect(gateway.log()).toBe(
    'error: The file /nowhere/ca.crt, which sslrootcert in the database address names, cannot be read (ENOENT).\n`records serve --help` says how.\n',
  );
});

test('a file without a certificate or a key in it, and a key that others can read, are refused', async () => {
  writeFileSync(file('empty.crt'), '');
  writeFileSync(file('open.key'), readFileSync(file('client.key')), { mode: 0o640 });
  chmodSync(file('open.key'), process.getuid?.() === 0 ? 0o644 : 0o640);
  const client = (crt: string, key: string) => `sslmode=require&sslcert=${file(crt)}&sslkey=${file(key)}`;
  const refused: [string, string][] = [
    [
      `sslmode=verify-ca&sslrootcert=${file('empty.crt')}`,
      `The file ${file('empty.crt')}, which sslrootcert in the database address names, has no certificate in the form of PEM.`,
    ],
    [client('client.key', 'client.key'), 'which sslcert in the database address names, has no certificate'],
    [client('client.crt', 'ca.crt'), 'which sslkey in the database address names,'],
    [client('client.crt', 'open.key'), `can be used by others than its owner: run chmod 600 ${file('open.key')}`],
  ];
  for (const [parameters, said] of refused) {
    await expect(openDatabase({ url: `${server.url}?${parameters}`, migrate: false })).rejects.toThrow(said);
  }
});

test('PGSSLMODE and PGPASSWORD hold where the address says nothing', async () => {
  const { port } = new URL(server.url);
  const DATABASE_URL = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const gateway = startProcess({ DATABASE_URL, PGPASSWORD: 'postgres', PGSSLMODE: 'require', WORKERS: '1' });
  await gateway.ready();
  const client = new pg.Client(server.url);
  await client.connect();
  const { rows } = await client.query(
    "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name LIKE 'business-records%'",
  );
  await client.end();
  gateway.child.kill();
  await gateway.ended;
  expect(rows).toEqual([{ ssl: true }]);
  expect(gateway.log()).not.toMatch(/warning/i);
});
