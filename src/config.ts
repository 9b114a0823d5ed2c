/**
 * The only place that knows the settings; everything else gets a `Config`. `facts` is printed by `--help` and compared
 * with the README's table. A new setting is one line in `schema` and one entry in `facts`; its flag follows.
 */
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { isHostOrNetwork } from './network.js';

/** The configuration of a gateway. */
export type Config = z.infer<typeof schema>;

/** The description of a setting. */
export interface Setting {
  /** Its name in `Config`. */
  key: keyof Config;
  /** The environment variable. */
  name: string;
  /** The default as text; undefined if there is none. */
  default?: string;
  meaning: string;
  /** What a valid value looks like, as the end of a sentence that begins with the name. */
  requirement: string;
  /** Whether a value may contain a secret and must not be shown. */
  secret?: true;
  /** Whether it is no flag of the command line, which the other users of a machine can see. */
  isHidden?: true;
}

/** Lists every invalid setting and how to correct it. A message never contains a value that may be secret. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

/** All settings, in the order of `--help` and the README. */
export function settings(): Setting[] {
  return keys.map((key) => ({ key, ...facts[key] }));
}

/**
 * Reads the configuration from `given`, values by the names of their settings. `shownName` is what a problem calls a
 * setting. @throws ConfigError for invalid and for empty settings: an empty value is usually a mistake, such as an
 * undefined shell variable, which the default would hide
 */
export function readConfig(
  given: Readonly<Record<string, string | undefined>>,
  shownName: (setting: Setting) => string = ({ name }) => name,
): Config {
  const all = settings();
  const values = Object.fromEntries(all.map(({ key, name, default: value }) => [key, given[name] ?? value]));
  const result = schema.safeParse(values);
  const wrong = new Set(result.error?.issues.map((issue) => issue.path[0]));
  const problems = all.filter(({ key }) => values[key] === '' || wrong.has(key));
  if (result.success && problems.length === 0) return result.data;
  throw new ConfigError(
    problems.map((setting) => {
      const value = values[setting.key];
      return `${shownName(setting)} ${value === '' ? emptyProblem(setting) : valueProblem(setting, value)}`;
    }),
  );
}

function emptyProblem({ default: value }: Setting): string {
  return `is empty. Give it a value, or do not set it${value ? `: the default is ${value}` : ''}.`;
}

function valueProblem({ requirement, secret }: Setting, value: string | undefined): string {
  return `${requirement}${secret ? '' : `, not ${JSON.stringify(value)}`}.`;
}

/** From 1 up to nine digits. */
const wholeNumber = z
  .string()
  .regex(/^[1-9]\d{0,8}$/)
  .transform(Number);

/** In the environment megabytes, in the configuration bytes. */
const megabytes = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,3})?$/)
  .transform((text) => Math.round(Number(text) * 1024 * 1024))
  .refine((bytes) => bytes > 0 && bytes <= 256 * 1024 * 1024);

/** In the environment seconds, in the configuration milliseconds. */
const seconds = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,3})?$/)
  .transform((text) => Number(text) * 1000)
  .refine((milliseconds) => milliseconds > 0);

const schema = z.object({
  port: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65535),
  host: z.string().regex(/^[\w.:-]+$/),
  databaseUrl: z.string().regex(/^(file:|postgres(ql)?:\/\/)./),
  databaseDirectUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\/./)
    .optional(),
  databaseReadUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\/[^,]+(,postgres(ql)?:\/\/[^,]+)*$/)
    .optional()
    .transform((urls) => urls?.split(',') ?? []),
  apiKey: z
    .string()
    .regex(/^[\x21-\x7e]{16,256}$/)
    .optional(),
  migrate: z.enum(['true', 'false']).transform((value) => value === 'true'),
  trustedDocuments: z.string().optional(),
  deprecations: z.string().optional(),
  workers: z
    .string()
    .regex(/^(auto|[1-9]\d?)$/)
    .transform((text) => (text === 'auto' ? availableParallelism() : Number(text))),
  requestTimeout: seconds,
  slowOperation: z
    .string()
    .regex(/^\d{1,4}(\.\d{1,3})?$/)
    .transform((text) => (Number(text) === 0 ? Number.POSITIVE_INFINITY : Number(text) * 1000)),
  requestsAtOnce: wholeNumber,
  rateLimit: wholeNumber.optional(),
  streamsAtOnce: wholeNumber,
  streamsPerKey: wholeNumber,
  costLimit: wholeNumber,
  answerLimit: megabytes,
  lockSubmitted: z.enum(['true', 'false']).transform((value) => value === 'true'),
  search: z.enum(['true', 'false']).transform((value) => value === 'true'),
  federation: z.enum(['true', 'false']).transform((value) => value === 'true'),
  journal: z.enum(['true', 'false']).transform((value) => value === 'true'),
  journalDays: wholeNumber.refine((days) => days <= 36_500),
  corsOrigins: z
    .string()
    .regex(/^(\*|https?:\/\/[^\s,/]+(,https?:\/\/[^\s,/]+)*)$/)
    .optional()
    .transform((origins) => origins?.split(',') ?? []),
  webhookKey: z
    .string()
    .regex(/^[\x21-\x7e]{32,256}$/)
    .optional(),
  webhookAllow: z
    .string()
    .optional()
    .transform((entries) => entries?.split(',') ?? [])
    .refine((entries) => entries.every(isHostOrNetwork)),
  metricsPort: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65535)
    .optional(),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
});

const keys = schema.keyof().options;

const facts: Record<keyof Config, Omit<Setting, 'key'>> = {
  port: {
    name: 'PORT',
    default: '4000',
    meaning: 'The port to listen on. 0 takes any free port.',
    requirement: 'must be a whole number from 0 to 65535',
  },
  host: {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'The address to listen on. 0.0.0.0 or :: opens the gateway to the network.',
    requirement: 'must be an IP address or a host name',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    default: 'file:./data/records.db',
    meaning:
      'Where the records are: file:<path> for SQLite, created on the first start, or postgresql://… for PostgreSQL, with ?profile=distributed for engines on many machines (docs/database.md).',
    requirement: 'must begin with file: (SQLite) or postgresql:// (PostgreSQL)',
    secret: true, // a PostgreSQL URL contains the password
  },
  databaseDirectUrl: {
    name: 'DATABASE_DIRECT_URL',
    meaning:
      'If DATABASE_URL leads to a pooler, such as PgBouncer: the same PostgreSQL database without it, for migrations and for signals between processes. If not set, migrations go through the pooler, and processes poll for commits of others.',
    requirement: 'must begin with postgresql://',
    secret: true, // it contains the password
  },
  databaseReadUrl: {
    name: 'DATABASE_READ_URL',
    meaning:
      'Hot standbys of the PostgreSQL database in DATABASE_URL, separated by commas. They answer reads, and a key still sees its own writes (docs/database.md).',
    requirement: 'must be URLs that begin with postgresql://, separated by commas',
    secret: true, // they contain passwords
  },
  apiKey: {
    name: 'API_KEY',
    meaning:
      'An API key of your own with every scope, valid as long as it is set. If there is no key at all, the start creates one and prints it.',
    requirement: 'must be 16 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  },
  migrate: {
    name: 'MIGRATE',
    default: 'true',
    meaning:
      'Whether the start applies missing migrations. With false, the gateway does not start on a database that lacks one.',
    requirement: 'must be true or false',
  },
  trustedDocuments: {
    name: 'TRUSTED_DOCUMENTS',
    meaning:
      'A JSON file of GraphQL operations, {"<hash>": "<operation>"}. If set, only these are executed; GraphiQL no longer works.',
    requirement: 'must be the path of a file',
  },
  deprecations: {
    name: 'DEPRECATIONS',
    meaning:
      'A JSON file that says which REST endpoints are deprecated, when they end, and for which keys (docs/moving-to-graphql.md).',
    requirement: 'must be the path of a file',
  },
  workers: {
    name: 'WORKERS',
    default: '1',
    meaning:
      'The number of processes that serve at the same address, up to 99, or auto for one per processor. From 2 on, a process that ends is replaced.',
    requirement: 'must be a whole number from 1 to 99, or auto',
  },
  requestTimeout: {
    name: 'REQUEST_TIMEOUT',
    default: '30',
    meaning:
      'Seconds a request may take, including the look-up of its key but not the time to read its body. Then the work is stopped and answered 504.',
    requirement: 'must be a number of seconds greater than 0, with at most three decimals',
  },
  slowOperation: {
    name: 'SLOW_OPERATION',
    default: '1',
    meaning:
      'An operation that takes this many seconds is logged as slow, with its hash, its cost and the plan of the database. With 0 none is logged.',
    requirement: 'must be a number of seconds with at most three decimals, or 0',
  },
  requestsAtOnce: {
    name: 'REQUESTS_AT_ONCE',
    default: '1000',
    meaning: 'The number of requests handled at the same time. Further requests are answered 503 at once.',
    requirement: 'must be a whole number from 1',
  },
  rateLimit: {
    name: 'RATE_LIMIT',
    meaning:
      'The number of requests each key may make per minute. Further requests are answered 429. If not set, there is no limit.',
    requirement: 'must be a whole number from 1',
  },
  streamsAtOnce: {
    name: 'STREAMS_AT_ONCE',
    default: '10000',
    meaning: 'The number of streams of changes open at the same time. Further streams are answered 503 at once.',
    requirement: 'must be a whole number from 1',
  },
  streamsPerKey: {
    name: 'STREAMS_PER_KEY',
    default: '1000',
    meaning:
      'The number of streams of changes each key may have open at the same time. Further streams are answered 429.',
    requirement: 'must be a whole number from 1',
  },
  costLimit: {
    name: 'COST_LIMIT',
    default: '100000',
    meaning: 'The highest cost of a GraphQL operation. docs/cost.md says how the cost is counted.',
    requirement: 'must be a whole number from 1',
  },
  answerLimit: {
    name: 'ANSWER_LIMIT',
    default: '32',
    meaning: 'The largest answer in megabytes. A larger answer is refused.',
    requirement: 'must be a number of megabytes greater than 0 and at most 256, with at most three decimals',
  },
  lockSubmitted: {
    name: 'LOCK_SUBMITTED',
    default: 'false',
    meaning:
      'Whether submitted and cancelled documents and their lines are locked: to change or delete them is refused with 409. A submitted document can still be cancelled.',
    requirement: 'must be true or false',
  },
  search: {
    name: 'SEARCH',
    default: 'false',
    meaning:
      'Whether the words of texts are indexed, so that lists can be searched. Existing records are indexed after the start. Give all processes the same setting.',
    requirement: 'must be true or false',
  },
  federation: {
    name: 'FEDERATION',
    default: 'false',
    meaning:
      'Whether the GraphQL schema is a subgraph of Apollo Federation, with _entities and _service (docs/federation.md).',
    requirement: 'must be true or false',
  },
  journal: {
    name: 'JOURNAL',
    default: 'true',
    meaning:
      'Whether every change is written to the journal, from which history, live changes and webhooks are read (docs/history.md).',
    requirement: 'must be true or false',
  },
  journalDays: {
    name: 'JOURNAL_DAYS',
    default: '90',
    meaning: 'The number of days for which the journal keeps a change, up to 36500.',
    requirement: 'must be a whole number from 1 to 36500',
  },
  corsOrigins: {
    name: 'CORS_ORIGINS',
    meaning:
      'The origins whose web pages may use the gateway, separated by commas, or * for all. If not set, only the pages of the gateway itself.',
    requirement: 'must be origins like https://app.example, separated by commas, or *',
  },
  webhookKey: {
    name: 'WEBHOOK_KEY',
    meaning:
      'The key from which the signing secrets of webhooks are derived, the same for all processes. If not set, there are no webhooks.',
    requirement: 'must be 32 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  },
  webhookAllow: {
    name: 'WEBHOOK_ALLOW',
    meaning:
      'Hosts that are not public but may receive webhooks, separated by commas: names, addresses, or networks like 10.0.0.0/8.',
    requirement: 'must be names of hosts, addresses or networks like 10.0.0.0/8, separated by commas',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    meaning:
      'The port of HOST that serves GET /metrics in the format of Prometheus, without a key. If not set, nothing is measured.',
    requirement: 'must be a whole number from 0 to 65535',
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: 'The lowest level that is logged: trace, debug, info, warn, error, fatal or silent.',
    requirement: 'must be trace, debug, info, warn, error, fatal or silent',
  },
};
