/**
 * The address of a PostgreSQL database, as PostgreSQL's own programs read it. Every parameter is known or refused by its
 * name: one that is ignored would leave out a limit, or a check of a certificate, that somebody relies on.
 */

import { fileURLToPath } from 'node:url';
import * as z from 'zod';

/** What is wrong with an address, as the end of a sentence that begins with its setting; undefined if it can be used. */
export function databaseUrlProblem(url: string): string | undefined {
  if (url.startsWith('file:')) return fileProblem(url);
  return isPostgresql(url) ? addressProblem(url) : 'must begin with file: (SQLite) or postgresql:// (PostgreSQL).';
}

/** The same where the database is PostgreSQL. */
export function postgresqlUrlProblem(url: string): string | undefined {
  return isPostgresql(url) ? addressProblem(url) : 'must begin with postgresql://.';
}

const isPostgresql = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

function fileProblem(url: string): string | undefined {
  const path = url.slice('file:'.length);
  if (path === '' || path.includes('\0')) return 'must name a file, such as file:./data/records.db.';
  if (path.startsWith(':')) return 'must name a file: a database in memory would lose every record with the process.';
  if (path.includes('?')) return 'has parameters after a ?, and a file: address takes none.';
  if (!path.startsWith('//')) return undefined;
  try {
    if (!path.includes('#') && fileURLToPath(url)) return undefined;
  } catch {
    // It names another machine, or escapes something wrongly.
  }
  return 'is no address of a file on this machine, such as file:///var/lib/records/records.db.';
}

export type PostgresqlAddress = ReturnType<typeof readAddress>;

/** An address cannot be used. The message continues a sentence that begins with its setting, and has no part of it. */
class AddressError extends Error {}

const form =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<host>\[[\da-f:.%]+\]|[^:@/?[\]]*)(?::(?<port>\d*))?(?:\/(?<database>[^@/?]*))?(?:\?(?<query>.*))?$/is;
const escapes = 'In a user name or a password write % as %25, # as %23, @ as %40, / as %2F, ? as %3F and : as %3A.';

/** @throws AddressError */
export function readAddress(address: string) {
  if (address.includes('#')) throw new AddressError(`has a # that is not escaped. ${escapes}`);
  const parts: Record<string, string | undefined> = form.exec(address)?.groups ?? {};
  const { query = '' } = parts;
  // An @ in the parameters shows that a ? before it belongs to the password.
  if (!form.test(address) || (parts.user === undefined && query.includes('@'))) {
    throw new AddressError(
      `is not an address such as postgresql://user:password@host:5432/database. ${stray(address)}${escapes}`,
    );
  }
  const given = Object.fromEntries(query === '' ? [] : query.split('&').map(pairOf));
  const { data, error } = parameters.safeParse(given);
  if (!data) throw new AddressError(problemOf(error, 'password' in given));
  const { sslcert, sslkey } = data;
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    const [there, missing] = sslcert === undefined ? ['sslkey', 'sslcert'] : ['sslcert', 'sslkey'];
    throw new AddressError(`has ${there} without ${missing}: a certificate of the client and its key belong together.`);
  }
  const of = (part: string, parameter?: string) => parameter ?? (decoded(parts[part] ?? '') || undefined);
  /** A name, an address, or the folder of a socket. */
  const host = of('host', data.host)?.replace(/^\[(.*)\]$/, '$1');
  if (host?.includes(',')) throw new AddressError('names several hosts. Name one that follows the primary.');
  const port = data.port ?? (parts.port ? Number(parts.port) : undefined);
  if (port !== undefined && (port < 1 || port > 65_535))
    throw new AddressError('has a port that is no number from 1 to 65535.');
  const [user, password] = [of('user', data.user), of('password', data.password)];
  return { user, password, host, port, database: of('database', data.dbname), parameters: data };
}

/** Says which of the characters that an address is made of is there too often. */
function stray(address: string): string {
  const [authority = '', ...rest] = address.replace(/^.*?:\/\//, '').split(/[/?]/);
  if (rest.some((part) => part.includes('@'))) return 'It has a / or ? before an @. ';
  return authority.split('@').length > 2 ? 'It has two @. ' : '';
}

function pairOf(pair: string): [string, string] {
  const [name = '', ...value] = pair.split('=');
  return [decoded(name), decoded(value.join('='))];
}

function decoded(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    throw new AddressError(`has a % that begins no escape. ${escapes}`);
  }
}

/** The name of an unknown parameter may be the end of a password with an unescaped `&`, and is then not shown. */
function problemOf({ issues: [issue] }: z.ZodError, hasPassword: boolean): string {
  if (issue?.code !== 'unrecognized_keys')
    return `has the parameter ${String(issue?.path[0])}, which ${issue?.message}.`;
  const [name = ''] = issue.keys;
  const isShown = !hasPassword && /^\w{1,40}$/.test(name);
  return `has ${isShown ? `the parameter ${name}` : 'a parameter'}, which is unknown. Known are ${Object.keys(parameters.shape).join(', ')}.`;
}

/** What is wrong with an address; undefined if it can be used. */
function addressProblem(address: string): string | undefined {
  try {
    readAddress(address);
    return undefined;
  } catch (error) {
    if (error instanceof AddressError) return error.message;
    throw error;
  }
}

/** The address with its passwords masked, and what has an escaped name, which may be one. */
export function withoutPasswords(address: string, mask: string): string {
  return address
    .replace(/^(\w+:\/\/[^:@/?]*):[^@/?]*@/, `$1:${mask}@`)
    .replace(/([?&](?:(?:ssl)?password|[^=&]*%[^=&]*)=)[^&]*/gi, `$1${mask}`);
}

/** The address for PostgreSQL's own programs, which refuse parameters that they do not know. */
export function addressForLibpq(address: string): string {
  const [place = '', ...rest] = address.split('?');
  const { sslmode, sslrootcert } = readAddress(address).parameters;
  // What follows the first ? are the parameters, as for `form`.
  const pairs = rest.join('?').split('&').filter(Boolean).map(pairOf);
  const kept = pairs
    .filter(([name]) => !own.includes(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  // Without it they look for a file of the user, where the gateway takes the authorities that Node knows.
  if (sslmode?.startsWith('verify') && sslrootcert === undefined) kept.push('sslrootcert=system');
  return kept.length === 0 ? place : `${place}?${kept.join('&')}`;
}

/** Which features the database has: see `profile` of the parameters. */
export type Profile = 'postgresql' | 'distributed';

/** The profile that the address of a database names. @throws AddressError */
export function profileOf(url: string): Profile {
  return url.startsWith('file:') ? 'postgresql' : (readAddress(url).parameters.profile ?? 'postgresql');
}

/** The parameters of the address of a PostgreSQL database: those that are known, and their values. */
const text = z.string().min(1, 'must not be empty');
const number = (least: number, most: number) => {
  const error = `must be a whole number from ${least} to ${most}`;
  return z
    .string({ error })
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .refine((value) => value >= least && value <= most, error);
};
const oneOf = <const Value extends string>(...values: Value[]) =>
  z.enum(values, { error: `must be ${values.join(', ').replace(/, ([^,]+)$/, ' or $1')}` });
export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const milliseconds = number(0, 999_999_999).optional();

const parameters = z.strictObject({
  // Those of PostgreSQL's own programs.
  host: text.optional(),
  port: number(1, 65_535).optional(),
  user: text.optional(),
  password: text.optional(),
  dbname: text.optional(),
  application_name: text.optional(),
  connect_timeout: number(0, 3_600).optional(),
  options: text
    .refine((value) => !/search_path/i.test(value), 'must not set search_path: write ?schema=… instead')
    .optional(),
  sslmode: oneOf(...sslModes).optional(),
  sslrootcert: text.optional(),
  sslcert: text.optional(),
  sslkey: text.optional(),
  sslpassword: text.optional(),
  channel_binding: oneOf('disable', 'prefer', 'require').optional(),
  // There is one server, and the gateway itself finds out whether it takes writes.
  target_session_attrs: oneOf('any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby').optional(),
  client_encoding: oneOf('UTF8', 'utf8', 'auto').optional(),
  // Those of the gateway.
  schema: text
    .refine((name) => name !== '$user', 'must be the name of a schema: write the name of the user instead of $user')
    // Prisma does not escape a quote.
    .refine((name) => Buffer.byteLength(name) <= 63 && !/^pg_|["\0]/i.test(name), 'must be the name of a schema')
    .default('public'),
  // For engines that use PostgreSQL's protocol and keep records on many machines: transactions are SERIALIZABLE, and there are no
  // triggers of statements, no sequences, no advisory or table locks, and no NOTIFY. Its tables come from a migration history of
  // their own, which uses none of these.
  profile: oneOf('distributed').optional(),
  connection_limit: number(1, 1_000).default(10),
  pgbouncer: oneOf('true', 'false').optional(),
  lock_timeout: milliseconds,
  statement_timeout: milliseconds,
  idle_in_transaction_session_timeout: milliseconds,
  query_timeout: milliseconds,
});

/** The parameters that only the gateway knows. */
const own = [
  ...['schema', 'profile', 'connection_limit', 'pgbouncer', 'query_timeout'],
  ...['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'],
];
