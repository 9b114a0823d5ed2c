import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/common/config-error.js';
import { allValues, readConfig, settings } from '../support/settings.js';

describe('the configuration', () => {
  test('an empty environment gives the documented defaults', () => {
    expect(allValues(readConfig({}))).toEqual({
      port: 4000,
      host: '127.0.0.1',
      publicUrl: '',
      databaseUrl: 'file:./data/records.db',
      apiKey: undefined,
      issuersAllow: [],
      migrate: true,
      trustedDocuments: undefined,
      workers: 1,
      requestTimeout: 30_000,
      slowOperation: 1_000,
      requestsAtOnce: 1000,
      rateLimit: undefined,
      streamsAtOnce: 10_000,
      streamsPerKey: 1000,
      costLimit: 100_000,
      answerLimit: 32 * 1024 * 1024,
      databaseReadUrl: [],
      corsOrigins: [],
      trustedProxies: [],
      lockSubmitted: false,
      search: false,
      federation: false,
      journal: true,
      journalDays: 90,
      databaseWait: 60_000,
      webhookKey: undefined,
      webhookAllow: [],
      logLevel: 'info',
    });
  });

  test('every setting is read from the variable of its name', () => {
    const environment = {
      PORT: '0',
      HOST: '::1',
      PUBLIC_URL: 'https://example.com/records-api/',
      DATABASE_URL: 'postgresql://u:p@db/records',
      DATABASE_DIRECT_URL: 'postgresql://u:p@server/records',
      DATABASE_READ_URL: 'postgresql://u:p@one/records,postgresql://u:p@two/records',
      DATABASE_WAIT: '1.5',
      API_KEY: 'sixteen-letters!',
      ROLES: './roles.json',
      ISSUERS: './issuers.json',
      ISSUERS_ALLOW: 'login.internal,10.0.0.0/8',
      ANSWER_KEY: 'another-key-of-thirty-two-letters',
      MIGRATE: 'false',
      TRUSTED_DOCUMENTS: './operations.json',
      DEPRECATIONS: './deprecations.json',
      WORKERS: '3',
      REQUEST_TIMEOUT: '2.5',
      SLOW_OPERATION: '1.5',
      REQUESTS_AT_ONCE: '50',
      RATE_LIMIT: '600',
      STREAMS_AT_ONCE: '200',
      STREAMS_PER_KEY: '20',
      COST_LIMIT: '5000',
      ANSWER_LIMIT: '1.5',
      LOCK_SUBMITTED: 'true',
      SEARCH: 'true',
      FEDERATION: 'true',
      JOURNAL: 'false',
      JOURNAL_DAYS: '30',
      CORS_ORIGINS: 'https://app.example,http://localhost:3000',
      TRUSTED_PROXIES: '10.0.0.1,fd00::/8',
      WEBHOOK_KEY: 'a-key-of-thirty-two-letters-or-more',
      WEBHOOK_ALLOW: 'hooks.internal,10.0.0.0/8,::1',
      METRICS_PORT: '9464',
      LOG_LEVEL: 'silent',
    };
    expect(allValues(readConfig(environment))).toEqual({
      port: 0,
      host: '::1',
      publicUrl: 'https://example.com/records-api',
      databaseUrl: 'postgresql://u:p@db/records',
      databaseDirectUrl: 'postgresql://u:p@server/records',
      databaseWait: 1_500,
      databaseReadUrl: ['postgresql://u:p@one/records', 'postgresql://u:p@two/records'],
      apiKey: 'sixteen-letters!',
      roles: './roles.json',
      issuers: './issuers.json',
      issuersAllow: ['login.internal', '10.0.0.0/8'],
      answerKey: 'another-key-of-thirty-two-letters',
      migrate: false,
      trustedDocuments: './operations.json',
      deprecations: './deprecations.json',
      workers: 3,
      requestTimeout: 2500,
      slowOperation: 1500,
      requestsAtOnce: 50,
      rateLimit: 600,
      streamsAtOnce: 200,
      streamsPerKey: 20,
      costLimit: 5000,
      answerLimit: 1536 * 1024,
      lockSubmitted: true,
      search: true,
      federation: true,
      journal: false,
      journalDays: 30,
      corsOrigins: ['https://app.example', 'http://localhost:3000'],
      trustedProxies: ['10.0.0.1', 'fd00::/8'],
      webhookKey: 'a-key-of-thirty-two-letters-or-more',
      webhookAllow: ['hooks.internal', '10.0.0.0/8', '::1'],
      metricsPort: 9464,
      logLevel: 'silent',
    });
    expect(settings.map(({ name }) => name)).toEqual(Object.keys(environment));
  });

  test('WORKERS=auto is one for each processor', () => {
    expect(readConfig({ WORKERS: 'auto' }).workers).toBe(availableParallelism());
  });

  test.each(settings)('an empty $name is refused, also where there is a default', ({ name, default: value }) => {
    const mend = `Give it a value, or do not set it${value ? `: the default is ${value}` : ''}.`;
    expect(problemsOf({ [name]: '' })).toEqual([`${name} is empty. ${mend}`]);
  });

  test('all wrong settings are reported at once, by name and with the correction', () => {
    const given = { PORT: '65536', HOST: 'a b', RATE_LIMIT: '', MIGRATE: 'yes', LOG_LEVEL: 'loud' };
    expect(problemsOf(given)).toEqual([
      'PORT must be a whole number from 0 to 65535, not "65536".',
      'HOST must be an IP address or a host name, not "a b".',
      'MIGRATE must be true or false, not "yes".',
      'RATE_LIMIT is empty. Give it a value, or do not set it.',
      'LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent, not "loud".',
    ]);
  });

  test.each([
    ['REQUEST_TIMEOUT', '0'],
    ['REQUEST_TIMEOUT', '0.000'],
    ['REQUEST_TIMEOUT', '-1'],
    ['RATE_LIMIT', '0'],
    ['RATE_LIMIT', '1.5'],
    ['REQUESTS_AT_ONCE', 'many'],
    ['COST_LIMIT', '1e5'],
    ['CORS_ORIGINS', 'app.example'],
    ['CORS_ORIGINS', 'https://app.example/'],
    ['CORS_ORIGINS', 'https://app.example, https://other.example'],
    ['CORS_ORIGINS', '*,https://app.example'],
    ['WEBHOOK_KEY', 'thirty-one-letters-are-too-few.'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['TRUSTED_PROXIES', '10.0.0.1, 10.0.0.2'],
    ['WEBHOOK_ALLOW', '10.0.0.0/33'],
    ['WEBHOOK_ALLOW', '10.0.0'],
    ['WEBHOOK_ALLOW', 'hooks.internal, 10.0.0.1'],
    ['WEBHOOK_ALLOW', 'https://hooks.internal'],
  ])('%s does not take %j', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} must be `))]);
  });

  test.each([
    'example.com',
    '//example.com/records',
    '/records',
    'ftp://example.com',
    'https:example.com',
    'https://',
    'https://example.com:port',
    'https://example.com/?a=canary',
    'https://example.com/#canary',
    'https://user:canary@example.com/records',
    'https://exam ple.com',
  ])('PUBLIC_URL does not take %j, and does not show it', (url) => {
    const [problem, ...others] = problemsOf({ PUBLIC_URL: url });
    expect([others, problem]).toEqual([[], expect.stringMatching(/^PUBLIC_URL must be an address like https:/)]);
    expect(problem).not.toContain('canary');
  });

  test.each(['-1', '1e3', '4000.5', ' 4000', '0x10', 'http'])('the port %j is refused', (port) => {
    expect(problemsOf({ PORT: port })).toHaveLength(1);
  });

  test.each(['short', 'fifteen-letters', 'sixteen letters with a space', 'sixteen-letters-é'])(
    'the key %j is refused and not shown',
    (key) => {
      const [problem, ...others] = problemsOf({ API_KEY: key });
      expect(others).toEqual([]);
      expect(problem).toMatch(/^API_KEY must be 16 to 256 /);
      expect(problem).not.toContain(key);
    },
  );

  test('a database URL that is neither SQLite nor PostgreSQL is refused and its password not shown', () => {
    const [problem] = problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/records' });
    expect(problem).toMatch(/^DATABASE_URL must begin with file: /);
    expect(problem).not.toContain('hunter2');
  });
});

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
