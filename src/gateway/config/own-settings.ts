/** The settings of the gateway itself, in the order of `--help` and the README. Those of a feature stand in its folder. */
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { networkOf } from '../../common/network.js';
import { databaseUrlProblem, postgresqlUrlProblem } from '../../database/database-url.js';
import { count, filePath, flag, list, optional, port, setting, text } from './setting.js';

/** In the environment seconds, in the configuration milliseconds. */
const duration = text.regex(/^\d{1,4}(\.\d{1,3})?$/).transform((text) => Number(text) * 1000);

export const ownSettings = {
  port: setting({
    ...port,
    default: '4000',
    meaning: 'The port to listen on. 0 takes any free port.',
    isCommon: true,
  }),
  host: setting({
    form: text.regex(/^[\w.:-]+$/),
    default: '127.0.0.1',
    meaning: 'The address to listen on. 0.0.0.0 or :: opens the gateway to the network.',
    requirement: 'must be an IP address or a host name',
    isCommon: true,
  }),
  publicUrl: setting({
    form: text
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
    ...address(databaseUrlProblem),
    default: 'file:./data/records.db',
    meaning:
      'Where the records are: file:<path> for SQLite, created on the first start, or postgresql://… for PostgreSQL, with ?schema=<name> and other parameters (docs/database.md).',
  }),
  databaseDirectUrl: setting({
    ...optional(address(postgresqlUrlProblem)),
    meaning:
      'If DATABASE_URL leads to a pooler, such as PgBouncer: the same PostgreSQL database without it, for migrations and for signals between processes. If not set, migrations go through the pooler, and processes poll for commits of others.',
  }),
  databaseReadUrl: setting({
    ...listed(address((urls) => urls.split(',').map(postgresqlUrlProblem).find(Boolean))),
    meaning:
      'Hot standbys of the PostgreSQL database in DATABASE_URL, separated by commas. They answer reads, and a key still sees its own writes (docs/database.md).',
    isCommon: true,
  }),
  databaseWait: setting({
    form: duration,
    default: '60',
    meaning:
      'Seconds for which the start waits for a database that cannot be reached. With 0 it tries once, for 10 s at most.',
    requirement: 'must be a number of seconds from 0 to 9999',
  }),
  apiKey: setting({
    form: text.regex(/^[\x21-\x7e]{16,256}$/).optional(),
    meaning:
      'An API key of your own with every scope, valid as long as it is set. If there is no key at all, the start creates one and prints it.',
    requirement: 'must be 16 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  }),
  migrate: setting({
    ...flag,
    default: 'true',
    meaning:
      'Whether the start applies missing migrations. With false, the gateway does not start on a database that lacks one.',
  }),
  trustedDocuments: setting({
    ...optional(filePath),
    meaning:
      'A JSON file of GraphQL operations, {"<hash>": "<operation>"}. If set, only these are executed; GraphiQL no longer works.',
  }),
  workers: setting({
    form: text
      .regex(/^(auto|[1-9]\d?)$/)
      .transform((text) => (text === 'auto' ? availableParallelism() : Number(text))),
    default: '1',
    meaning:
      'The number of processes that serve at the same address, up to 99, or auto for one per processor. From 2 on, a process that ends is replaced.',
    requirement: 'must be a whole number from 1 to 99, or auto',
    isCommon: true,
  }),
  requestTimeout: setting({
    form: duration.refine((milliseconds) => milliseconds > 0),
    default: '30',
    meaning:
      'Seconds a request may take, including the look-up of its key but not the time to read its body. Then the work is stopped and answered 504.',
    requirement: 'must be a number of seconds greater than 0, with at most three decimals',
  }),
  /** In the configuration milliseconds, which never pass for 0. */
  slowOperation: setting({
    form: duration.transform((milliseconds) => milliseconds || Number.POSITIVE_INFINITY),
    default: '1',
    meaning:
      'An operation that takes this many seconds is logged as slow, with its hash, its cost and the plan of the database. With 0 none is logged.',
    requirement: 'must be a number of seconds with at most three decimals, or 0',
  }),
  requestsAtOnce: setting({
    ...count,
    default: '1000',
    meaning: 'The number of requests handled at the same time. Further requests are answered 503 at once.',
  }),
  rateLimit: setting({
    ...optional(count),
    meaning:
      'The number of requests each key may make per minute. Further requests are answered 429. If not set, there is no limit.',
    isCommon: true,
  }),
  streamsAtOnce: setting({
    ...count,
    default: '10000',
    meaning: 'The number of streams of changes open at the same time. Further streams are answered 503 at once.',
    isCommon: true,
  }),
  streamsPerKey: setting({
    ...count,
    default: '1000',
    meaning:
      'The number of streams of changes each key may have open at the same time. Further streams are answered 429.',
    isCommon: true,
  }),
  costLimit: setting({
    ...count,
    default: '100000',
    meaning: 'The highest cost of a GraphQL operation. docs/cost.md says how the cost is counted.',
  }),
  /** In the configuration bytes. */
  answerLimit: setting({
    form: text
      .regex(/^\d{1,3}(\.\d{1,3})?$/)
      .transform((text) => Math.round(Number(text) * 1024 * 1024))
      .refine((bytes) => bytes > 0 && bytes <= 256 * 1024 * 1024),
    default: '32',
    meaning: 'The largest answer in megabytes. A larger answer is refused.',
    requirement: 'must be a number of megabytes greater than 0 and at most 256, with at most three decimals',
  }),
  lockSubmitted: setting({
    ...flag,
    default: 'false',
    meaning:
      'Whether submitted and cancelled documents and their lines are locked: to change or delete them is refused with 409. A submitted document can still be cancelled.',
  }),
  journal: setting({
    ...flag,
    default: 'true',
    meaning:
      'Whether every change is written to the journal, from which history, live changes and webhooks are read (docs/history.md).',
  }),
  journalDays: setting({
    form: count.form.refine((days) => days <= 36_500),
    default: '90',
    meaning: 'The number of days for which the journal keeps a change, up to 36500.',
    requirement: 'must be a whole number from 1 to 36500',
  }),
  corsOrigins: setting({
    form: list(text.regex(/^(\*|https?:\/\/[^\s,/]+(,https?:\/\/[^\s,/]+)*)$/)),
    meaning:
      'The origins whose web pages may use the gateway, separated by commas, or * for all. If not set, only the pages of the gateway itself.',
    requirement: 'must be origins like https://app.example, separated by commas, or *',
  }),
  trustedProxies: setting({
    form: list(text).refine((entries) => entries.every(networkOf)),
    meaning:
      'The proxies in front of the gateway, separated by commas: addresses, or networks like 10.0.0.0/8. The log then names the address of the client, from the X-Forwarded-For of these proxies only.',
    requirement: 'must be addresses or networks like 10.0.0.0/8, separated by commas',
  }),
  logLevel: setting({
    form: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'The lowest level that is logged: trace, debug, info, warn, error, fatal or silent.',
    requirement: 'must be trace, debug, info, warn, error, fatal or silent',
  }),
};

/** An address, of which no part is shown: it may contain a password. */
function address(problemOf: (url: string) => string | undefined) {
  return {
    form: text.refine((url) => problemOf(url) === undefined),
    requirement: (url: string) => problemOf(url) ?? '',
    secret: true as const,
  };
}

function listed({ form, ...facts }: ReturnType<typeof address>) {
  return { ...facts, form: list(form) };
}
