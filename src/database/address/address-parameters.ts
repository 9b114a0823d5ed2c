/** The parameters of the address of a PostgreSQL database: those that are known, and their values. */
import * as z from 'zod';

const text = z.string().min(1, 'must not be empty');
const number = (least: number, most: number) =>
  z
    .string({ error: `must be a whole number from ${least} to ${most}` })
    .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((value) => value >= least && value <= most, `must be a whole number from ${least} to ${most}`);
const oneOf = <const Value extends string>(...values: Value[]) =>
  z.enum(values, { error: `must be ${values.join(', ').replace(/, ([^,]+)$/, ' or $1')}` });
export const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
const milliseconds = number(0, 999_999_999).optional();

export const parameters = z.strictObject({
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
export const own = ['schema', 'profile', 'connection_limit', 'pgbouncer'];
own.push('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'query_timeout');
