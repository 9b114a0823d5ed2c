/** The settings of the gateway itself, in the order of `--help` and the README. Those of a feature stand in its folder. */
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { networkOf } from '../../common/network.js';
import { databaseUrlProblem, postgresqlUrlProblem } from '../../database/database-url.js';
import { count, duration, flag, list, megabytes, port, seconds, secondsOrNever, setting } from './setting.js';

export const ownSettings = {
  port: setting({
    name: 'PORT',
    form: port,
    default: '4000',
    meaning: 'The port to listen on. 0 takes any free port.',
    requirement: 'must be a whole number from 0 to 65535',
  }),
  host: setting({
    name: 'HOST',
    form: z.string().regex(/^[\w.:-]+$/),
    default: '127.0.0.1',
    meaning: 'The address to listen on. 0.0.0.0 or :: opens the gateway to the network.',
    requirement: 'must be an IP address or a host name',
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    form: z
      .string()
      .regex(/^https?:\/\/[^\s?#@\\]+$/i)
      .refine(URL.canParse)
      .optional()
      .transform((text) => (text === undefined ? '' : new URL(text).href.replace(/\/$/, ''))),
    meaning:
      'The address at which clients reach the gateway through a proxy, such as https://example.com/records-api. Answers then name it in place of paths (docs/deploy.md).',
    // A value is not shown: it may hold a password.
    requirement: () =>
      'must be an address like https://example.com/records-api, with http or https, and without user, password, query and fragment.',
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    ...address(databaseUrlProblem),
    default: 'file:./data/records.db',
    meaning:
      'Where the records are: file:<path> for SQLite, created on the first start, or postgresql://… for PostgreSQL, with ?schema=<name> and other parameters (docs/database.md).',
  }),
  databaseDirectUrl: setting({
    name: 'DATABASE_DIRECT_URL',
    ...optional(address(postgresqlUrlProblem)),
    meaning:
      'If DATABASE_URL leads to a pooler, such as PgBouncer: the same PostgreSQL database without it, for migrations and for signals between processes. If not set, migrations go through the pooler, and processes poll for commits of others.',
  }),
  databaseReadUrl: setting({
    name: 'DATABASE_READ_URL',
    ...listed(address((urls) => urls.split(',').map(postgresqlUrlProblem).find(Boolean))),
    meaning:
      'Hot standbys of the PostgreSQL database in DATABASE_URL, separated by commas. They answer reads, and a key still sees its own writes (docs/database.md).',
  }),
  databaseWait: setting({
    name: 'DATABASE_WAIT',
    form: duration,
    default: '60',
    meaning:
      'Seconds for which the start waits for a database that cannot be reached. With 0 it tries once, for 10 s at most.',
    requirement: 'must be a number of seconds from 0 to 9999',
  }),
  apiKey: setting({
    name: 'API_KEY',
    form: z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/)
      .optional(),
    meaning:
      'An API key of your own with every scope, valid as long as it is set. If there is no key at all, the start creates one and prints it.',
    requirement: 'must be 16 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  }),
  migrate: setting({
    name: 'MIGRATE',
    form: flag,
    default: 'true',
    meaning:
      'Whether the start applies missing migrations. With false, the gateway does not start on a database that lacks one.',
    requirement: 'must be true or false',
  }),
  trustedDocuments: setting({
    name: 'TRUSTED_DOCUMENTS',
    form: z.string().optional(),
    meaning:
      'A JSON file of GraphQL operations, {"<hash>": "<operation>"}. If set, only these are executed; GraphiQL no longer works.',
    requirement: 'must be the path of a file',
  }),
  workers: setting({
    name: 'WORKERS',
    form: z
      .string()
      .regex(/^(auto|[1-9]\d?)$/)
      .transform((text) => (text === 'auto' ? availableParallelism() : Number(text))),
    default: '1',
    meaning:
      'The number of processes that serve at the same address, up to 99, or auto for one per processor. From 2 on, a process that ends is replaced.',
    requirement: 'must be a whole number from 1 to 99, or auto',
  }),
  requestTimeout: setting({
    name: 'REQUEST_TIMEOUT',
    form: seconds,
    default: '30',
    meaning:
      'Seconds a request may take, including the look-up of its key but not the time to read its body. Then the work is stopped and answered 504.',
    requirement: 'must be a number of seconds greater than 0, with at most three decimals',
  }),
  slowOperation: setting({
    name: 'SLOW_OPERATION',
    form: secondsOrNever,
    default: '1',
    meaning:
      'An operation that takes this many seconds is logged as slow, with its hash, its cost and the plan of the database. With 0 none is logged.',
    requirement: 'must be a number of seconds with at most three decimals, or 0',
  }),
  requestsAtOnce: setting({
    name: 'REQUESTS_AT_ONCE',
    form: count,
    default: '1000',
    meaning: 'The number of requests handled at the same time. Further requests are answered 503 at once.',
    requirement: 'must be a whole number from 1',
  }),
  rateLimit: setting({
    name: 'RATE_LIMIT',
    form: count.optional(),
    meaning:
      'The number of requests each key may make per minute. Further requests are answered 429. If not set, there is no limit.',
    requirement: 'must be a whole number from 1',
  }),
  streamsAtOnce: setting({
    name: 'STREAMS_AT_ONCE',
    form: count,
    default: '10000',
    meaning: 'The number of streams of changes open at the same time. Further streams are answered 503 at once.',
    requirement: 'must be a whole number from 1',
  }),
  streamsPerKey: setting({
    name: 'STREAMS_PER_KEY',
    form: count,
    default: '1000',
    meaning:
      'The number of streams of changes each key may have open at the same time. Further streams are answered 429.',
    requirement: 'must be a whole number from 1',
  }),
  costLimit: setting({
    name: 'COST_LIMIT',
    form: count,
    default: '100000',
    meaning: 'The highest cost of a GraphQL operation. docs/cost.md says how the cost is counted.',
    requirement: 'must be a whole number from 1',
  }),
  answerLimit: setting({
    name: 'ANSWER_LIMIT',
    form: megabytes,
    default: '32',
    meaning: 'The largest answer in megabytes. A larger answer is refused.',
    requirement: 'must be a number of megabytes greater than 0 and at most 256, with at most three decimals',
  }),
  lockSubmitted: setting({
    name: 'LOCK_SUBMITTED',
    form: flag,
    default: 'false',
    meaning:
      'Whether submitted and cancelled documents and their lines are locked: to change or delete them is refused with 409. A submitted document can still be cancelled.',
    requirement: 'must be true or false',
  }),
  journal: setting({
    name: 'JOURNAL',
    form: flag,
    default: 'true',
    meaning:
      'Whether every change is written to the journal, from which history, live changes and webhooks are read (docs/history.md).',
    requirement: 'must be true or false',
  }),
  journalDays: setting({
    name: 'JOURNAL_DAYS',
    form: count.refine((days) => days <= 36_500),
    default: '90',
    meaning: 'The number of days for which the journal keeps a change, up to 36500.',
    requirement: 'must be a whole number from 1 to 36500',
  }),
  corsOrigins: setting({
    name: 'CORS_ORIGINS',
    form: list(z.string().regex(/^(\*|https?:\/\/[^\s,/]+(,https?:\/\/[^\s,/]+)*)$/)),
    meaning:
      'The origins whose web pages may use the gateway, separated by commas, or * for all. If not set, only the pages of the gateway itself.',
    requirement: 'must be origins like https://app.example, separated by commas, or *',
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    form: list(z.string()).refine((entries) => entries.every(networkOf)),
    meaning:
      'The proxies in front of the gateway, separated by commas: addresses, or networks like 10.0.0.0/8. The log then names the address of the client, from the X-Forwarded-For of these proxies only.',
    requirement: 'must be addresses or networks like 10.0.0.0/8, separated by commas',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    form: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'The lowest level that is logged: trace, debug, info, warn, error, fatal or silent.',
    requirement: 'must be trace, debug, info, warn, error, fatal or silent',
  }),
};

/** An address, of which no part is shown: it may contain a password. */
function address(problemOf: (url: string) => string | undefined) {
  return {
    form: z.string().refine((url) => problemOf(url) === undefined),
    requirement: (url: string) => problemOf(url) ?? '',
    secret: true as const,
  };
}

function optional({ form, ...facts }: ReturnType<typeof address>) {
  return { ...facts, form: form.optional() };
}

function listed({ form, ...facts }: ReturnType<typeof address>) {
  return { ...facts, form: list(form) };
}
