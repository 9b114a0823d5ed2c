import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { ConfigError } from '../../common/config-error.js';
import { retry } from '../database-problem.js';
import { type PostgresqlAddress, readAddress } from '../database-url.js';
import type { DirectAccess, Rows } from '../direct-access.js';
import { explainingStart } from '../explain-start.js';
import { readMarked } from '../ignored-case.js';
import type { MigrationConnection } from '../migrations/migrate.js';
import { openPostgresqlMigration } from '../migrations/postgresql-migration.js';
import { withQueries } from '../prisma-adapter.js';
import { poolerIn } from './client.js';
import { Notifications } from './notifications.js';
import { Pipeline } from './pipeline.js';
import { connectionWaited, createPoolShare, poolPerPipeline } from './pool-share.js';
import type { PositionTable } from './position-table.js';
import { openPrimaryPool, type PostgresqlServer, preparedQuery, runOnPool } from './primary-pool.js';
import { resultLimits } from './result-limits.js';
import { type Connection, sessionSettings } from './session-settings.js';
import { openStandbys } from './standbys.js';
import { noNames, statementNames } from './statement-names.js';
import { toolSession } from './tool-session.js';
import { runAlone, runProcedure, withCommitGuard, withOwnTransactions } from './transactions.js';

export interface PostgresqlOptions {
  url: string;
  /** The same database past a pooler that `url` leads to. */
  directUrl?: string | undefined;
  /** Hot standbys of it, which may answer reads. */
  readUrls?: readonly string[];
  /** Milliseconds a statement may run. */
  longestStatement: number;
  /** The largest answer in bytes; it limits what is loaded for one. */
  answerLimit?: number | undefined;
  /** Called for each lost connection; the pool replaces it. */
  onError: (error: Error) => void;
  /** Whether a standby will do too. */
  onlyReads?: boolean | undefined;
  /** The positions that reads of keys from standbys have to see, where processes share them. */
  written?: PositionTable | undefined;
  /** Called with what endangers records although the database can be used. */
  warn?: (message: string) => void;
}

/**
 * Connects once, so that a wrong URL is reported at start, and a pooler noticed. Migrations go past it, where `directUrl` says
 * how. Every wait is limited: for a connection, a lock, a statement, an idle transaction, and an answer that never arrives. The
 * URL may override these limits, such as `?lock_timeout=5000`, and sets the number of connections by `?connection_limit=20`.
 * @throws DatabaseStartError
 */
export async function preparePostgresql(
  options: PostgresqlOptions,
): Promise<{ migration: MigrationConnection; access(): Promise<DirectAccess> }> {
  const { url, directUrl, readUrls = [], longestStatement, onlyReads, onError } = options;
  const address = readAddress(url);
  requireSamePlace(address, [directUrl ?? [], readUrls].flat());
  const migration = directUrl === undefined ? await openPostgresqlMigration(url) : await openDirectly(directUrl, url);
  for (const risk of migration.risks) options.warn?.(risk);
  const isPooled = poolerIn(address) ?? (directUrl !== undefined || migration.isPooled);
  const limits = {
    lock_timeout: 10_000,
    statement_timeout: longestStatement,
    idle_in_transaction_session_timeout: 20_000,
  };
  const settings = sessionSettings(address, limits, migration.version);
  const connectionTo = (connection: Connection) => ({
    ...connection,
    onlyReads,
    connectionTimeoutMillis: (address.parameters.connect_timeout ?? 5) * 1_000,
    // The server's own limits do not apply if the server is unreachable.
    query_timeout: address.parameters.query_timeout ?? longestStatement + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const elsewhere = (other: string) =>
    connectionTo(sessionSettings(readAddress(other), limits, migration.version).connection);
  const names = isPooled ? noNames : statementNames();
  const limitResult = resultLimits(address.parameters.connection_limit, options.answerLimit);
  const server: PostgresqlServer = {
    address,
    connection: connectionTo(isPooled ? settings.bareConnection : settings.connection),
    isPooled,
    settings,
    begin: isPooled ? settings.begin : 'BEGIN',
    names,
    onConnect: (client) => {
      limitResult(client);
      names.begin(client);
    },
    onError,
  };
  const direct = directUrl === undefined ? undefined : elsewhere(directUrl);
  const standbys = readUrls.map(elsewhere);
  return { migration, access: () => openPostgresql(server, direct, standbys, options) };
}

/** `direct` leads past the pooler, where there is another way. */
async function openPostgresql(
  server: PostgresqlServer,
  direct: pg.ClientConfig | undefined,
  elsewhere: pg.ClientConfig[],
  { answerLimit, written }: PostgresqlOptions,
): Promise<DirectAccess> {
  const { names, isPooled, settings, onError } = server;
  const { schema, connection_limit: connections, profile } = server.address.parameters;
  // A pooler takes a session back between two statements, so none is sent before the answer to the one before.
  const pipelines = isPooled ? 0 : Math.floor(connections / poolPerPipeline);
  const most = connections - pipelines;
  const longestTurn = server.connection.connectionTimeoutMillis;
  const pool = openPrimaryPool(server, most);
  const pipelined = Array.from({ length: pipelines }, () => new Pipeline(server));
  const share = createPoolShare({ connections, most }, longestTurn, () => connectionWaited(longestTurn));
  const query = (given: pg.QueryArrayConfig): Promise<Rows> =>
    runOnPool(pool, async (client) => (await runAlone(client, server, given)).rows);
  const read = share.read(
    (sql, values, _reach, _caller, comment) => retry(() => query(preparedQuery(names, sql, values, comment))),
    (sql, values, size, comment) => {
      const [best] = pipelined.filter((each) => each.takes(size)).sort((one, other) => one.awaited - other.awaited);
      return best?.read(preparedQuery(names, sql, values, comment), size);
    },
  );
  // It closes the pool.
  const factory = new PrismaPg(pool, { disposeExternalPool: true, schema, statementNameGenerator: names.nameOf });
  const prisma = withQueries(await factory.connect(), sentAsKnown);
  const adapter = share.adapter(withCommitGuard(isPooled ? withOwnTransactions(prisma, settings) : prisma));
  const signals =
    profile === 'distributed'
      ? undefined
      : new Notifications({
          connection: direct ?? server.connection,
          schema,
          isPooled: isPooled && direct === undefined,
          ask: (sql) => read(sql, [], 'bounded'),
          onError,
        });
  const standbys =
    elsewhere.length > 0
      ? openStandbys({ server, read, connections: elsewhere, connectionsEach: connections, answerLimit, written })
      : undefined;
  return {
    adapter,
    read,
    perform: async (begin, caller) => {
      const work = begin();
      return share.inTurn(caller, () => runProcedure(pool, server, work));
    },
    signals,
    standbys,
    readings: () => ({
      waiting: share.waiting(),
      connections: { open: pool.totalCount, used: pool.totalCount - pool.idleCount },
    }),
    close: async () => {
      await Promise.all([...pipelined, signals, standbys].map((each) => each?.close()));
      await adapter.dispose();
    },
  };
}

/** For migrations past the pooler, of the database that it leads to and of no other. */
async function openDirectly(directUrl: string, url: string) {
  const named = <Result>(work: () => Promise<Result>) => explainingStart(directUrl, work, 'DATABASE_DIRECT_URL');
  const [direct, pooled] = [await named(() => databaseOf(directUrl)), await databaseOf(url)];
  if (direct.name === pooled.name && direct.since === pooled.since)
    return named(() => openPostgresqlMigration(directUrl));
  throw new ConfigError([
    `DATABASE_DIRECT_URL leads to the database ${direct.name}${direct.name === pooled.name ? ' of another server than' : `, and not to ${pooled.name} as`} DATABASE_URL. Nothing was changed. Set it to the same database without the pooler.`,
  ]);
}

/** Its name, and the milliseconds at which its server began, which tell servers apart also behind a pooler. */
async function databaseOf(url: string): Promise<{ name: string; since: string }> {
  // A distributed database has many servers.
  const isDistributed = readAddress(url).parameters.profile === 'distributed';
  const since = isDistributed ? "''" : '(1000 * extract(epoch FROM pg_postmaster_start_time()))::bigint';
  const { client } = await toolSession(url, 'inspection');
  try {
    const { rows } = await client.query(`SELECT current_database() AS "name", ${since} AS "since"`);
    return rows[0];
  } finally {
    await client.end();
  }
}

/** All addresses lead to the same tables. */
function requireSamePlace({ parameters: { profile, schema } }: PostgresqlAddress, others: readonly string[]): void {
  for (const { parameters } of others.map(readAddress)) {
    if (parameters.schema === schema && parameters.profile === profile) continue;
    throw new ConfigError([
      'DATABASE_URL, DATABASE_DIRECT_URL and DATABASE_READ_URL must name the same schema and profile: write ?schema=… or ?profile=… in all of them.',
    ]);
  }
}

/**
 * Sends what Prisma's statements do not have: comparisons that ignore case, whose patterns `markedPattern` has made, and
 * comments, which are kept apart from the text, because repeated queries are recognised by their text.
 */
const sentAsKnown = (queryable: SqlQueryable): Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> => ({
  queryRaw: (query) => queryable.queryRaw(withComment(ignoringCase(query))),
  executeRaw: (query) => queryable.executeRaw(withComment(query)),
});

function withComment(query: SqlQuery & { comment?: string }): SqlQuery {
  return query.comment ? { ...query, sql: query.sql + query.comment } : query;
}

function ignoringCase(query: SqlQuery): SqlQuery {
  const patterns = query.args.map((arg) => (typeof arg === 'string' ? readMarked(arg) : undefined));
  if (patterns.every((pattern) => pattern === undefined)) return query;
  const args = [...query.args];
  const argTypes = [...query.argTypes];
  const sql = query.sql.replace(
    comparison,
    (whole, column: string, like: string, start: string, place: string, end: string) => {
      const index = Number(place) - 1;
      const pattern = patterns[index];
      const type = argTypes[index];
      if (!pattern || !type) return whole;
      args[index] = pattern.text;
      argTypes.push(type, type);
      const [from, to] = [args.push(pattern.from), args.push(pattern.to)];
      return `translate(${column}, $${from}::text, $${to}::text) ${like} (${start}$${place}${end})`;
    },
  );
  return { ...query, sql, args, argTypes };
}

/** A column, as Prisma writes it, that is compared with a pattern: `"asset"::text LIKE ('%' || $1 || '%')`. */
const comparison = /((?:"[^"]+"\.)*"[^"]+"(?:::text)?) ((?:NOT )?LIKE) \(((?:'%' \|\| )?)\$(\d+)((?: \|\| '%')?)\)/g;
