import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import pino from 'pino';
import { inject } from 'vitest';
import { createRestApi } from '../../rest/rest.js';
import type { Journal } from '../../src/change/journal/journal.js';
import { openJournal } from '../../src/change/journal/open-journal.js';
import { Current } from '../../src/common/kept.js';
import { logOptions } from '../../src/common/output.js';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { type OpenedDatabase, type OpenOptions, openDatabase } from '../../src/database/open-database.js';
import { indexExisting } from '../../src/features/search/index/index-existing.js';
import { turnSearchOn } from '../../src/features/search/search-state.js';
import { isSearched } from '../../src/features/search/searched-fields.js';
import { readDeprecations, usageSettings } from '../../src/features/usage/deprecations.js';
import { createReadPayload } from '../../src/features/webhooks/delivery/message.js';
import { ensureFirstKey } from '../../src/gateway/access/authenticator.js';
import type { Config } from '../../src/gateway/config/config.js';
import type { ServedFeature, Watch } from '../../src/gateway/feature.js';
import { createGateway, type Gateway, type GatewayParts } from '../../src/gateway/gateway.js';
import { createServer } from '../../src/gateway/http/server.js';
import { statementsOf } from '../../src/gateway/start/start-features.js';
import { readTrustedDocuments } from '../../src/graphql/operation/trusted-documents.js';
import { continueIds } from '../../src/query/ids.js';
import { type Answer, Client } from './client.js';
import { freshDatabaseUrl } from './database.js';
import { requireDescribed } from './described-answers.js';
import { resources } from './resources.js';
import { serve, schema as usualSchema } from './schema.js';
import { readConfig } from './settings.js';

export type { Answer };

/** A gateway on a real port and a database of its own. */
export interface TestGateway {
  url: string;
  /** A key with every scope. */
  key: string;
  config: Config;
  database: OpenedDatabase;
  journal: Journal;
  readPayload: ReturnType<typeof createReadPayload>;
  settle: Gateway['settle'];
  /** The log so far, one JSON line each, from `debug` up. */
  logLines: string[];
  /** The SQL statements so far. */
  statements: string[];
  /** Sends a request with the key. The `body`, if any, is sent as JSON; a string is sent as it is. */
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** `{data, errors}` of an operation, sent by POST with the key. */
  graphql(query: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<Answer>;
  drain(): void;
  close(): Promise<void>;
}

/** Starts a gateway as `main` does. `env` holds further settings; unless it names a database, a new one is used. */
export async function startGateway({
  database: provider = 'sqlite',
  env = {},
  onStatement,
  compiled = true,
  rules,
  onChange,
  readsAt,
  altered = (database) => database,
  heartbeatEvery,
  schema = usualSchema,
  features: given,
  watches = [],
}: {
  database?: Provider;
  env?: Record<string, string>;
  onStatement?: (sql: string, values: readonly unknown[]) => void;
  /** With false the resolvers answer every read. */
  compiled?: boolean;
  /** The rules of record types instead of the gateway's own, and the observers of changes. */
  rules?: GatewayParts['rules'];
  onChange?: GatewayParts['onChange'];
  /** The process in which SQLite answers every read. */
  readsAt?: OpenOptions['readsAt'];
  /** The database as the gateway gets it, for tests that come in between its statements. */
  altered?: (database: OpenedDatabase) => OpenedDatabase;
  /** Milliseconds between two heartbeats of a stream. */
  heartbeatEvery?: number;
  /** Adds further types and fields to the schema. */
  schema?: GraphQLSchema;
  /** Instead of all features that the gateway has. */
  features?: readonly ServedFeature[];
  /** What features put around the work of the gateway. */
  watches?: readonly Watch[];
} = {}): Promise<TestGateway> {
  const key = env.API_KEY ?? 'test-key-that-may-do-everything';
  const databaseUrl = env.DATABASE_URL ?? (await freshDatabaseUrl(provider));
  const config = readConfig({ API_KEY: key, PORT: '0', SLOW_OPERATION: '0', ...env, DATABASE_URL: databaseUrl });
  const statements: string[] = [];
  const logLines: string[] = [];
  const log = pino(logOptions('debug'), { write: (line) => void logLines.push(line) });
  const database = await openDatabase({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    readUrls: config.databaseReadUrl,
    migrate: config.migrate,
    requestTimeout: config.requestTimeout,
    answerLimit: config.answerLimit,
    // Built, because it would take ten times as long to start from source.
    readsAt,
    readerProgram: join(inject('testRun').built, 'src/database/sqlite/reader-process.js'),
    watchStatements: (opened) => {
      const watched = statementsOf(watches)?.(opened);
      return (sql, values) => {
        statements.push(sql);
        onStatement?.(sql, values);
        return watched?.(sql, values);
      };
    },
  });
  await continueIds(database, resources);
  await ensureFirstKey(database, config.apiKey);
  const journal = await openJournal(database, resources, config.journal);
  if (config.texts.search === 'true') {
    await database.perform(() => turnSearchOn(resources.filter(isSearched)));
    await indexExisting(database, resources);
  }
  const features = given ?? (await serve(env));
  const api = createRestApi(resources, features);
  const names = api.endpoints.map(({ name }) => name);
  const { deprecations: file } = usageSettings.of(config);
  const deprecations = file ? readDeprecations(file, names) : undefined;
  for (const { reloads } of features) reloads?.read(config, names)();
  const trustedDocuments = Current.of(
    config.trustedDocuments ? readTrustedDocuments(config.trustedDocuments) : undefined,
  );
  const gateway = createGateway({
    journal,
    schema,
    api,
    database: altered(database),
    log,
    config,
    rules,
    onChange,
    compiled,
    // The tests share the event loop, and their work must not count as overload of the gateway.
    isLate: () => false,
    features,
    watches,
    ...(heartbeatEvery === undefined ? {} : { heartbeatEvery }),
    trustedDocuments,
  });
  const { app, drain, operate, settle } = gateway;
  const server = createServer(app).listen(config.port, config.host);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const client = new Client(
    url,
    (exchange) => requireDescribed(exchange, deprecations, features),
    process.env.TEST_PROXY,
  );
  const send: TestGateway['rest'] = (method, path, body, headers = {}) => {
    const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
    return client.send(method, path, body, { authorization: `Bearer ${key}`, ...type, ...headers });
  };

  return {
    url,
    key,
    config,
    database,
    journal,
    readPayload: createReadPayload(operate),
    settle,
    logLines,
    statements,
    rest: send,
    graphql: (query, variables, headers) => send('POST', '/graphql', { query, variables }, headers),
    drain,
    close: async () => {
      client.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await database.close();
    },
  };
}
