import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlDriverAdapterFactory, SqlQuery, SqlQueryable } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { Value } from '../../common/work.js';
import { withQueries } from '../adapter-queries.js';
import { type PostgresqlAddress, readAddress } from '../database-url.js';
import type { Caller, DirectAccess, Rows, RunProcedure } from '../direct-access.js';
import { readMarked } from '../ignored-case.js';
import { retry } from '../retry.js';
import type { WrittenPositions } from './key-positions.js';
import { Notifications } from './notifications.js';
import { Pipeline, type PipelineOptions } from './pipeline.js';
import { createPoolShare, poolPerPipeline } from './pool-share.js';
import { openPrimaryPool, runOnPool } from './primary-pool.js';
import { resultLimits } from './result-limits.js';
import { type Connection, sessionSettings } from './session-settings.js';
import { openStandbys } from './standbys.js';
import { noNames, statementNames } from './statement-names.js';
import { runAlone, runProcedure, withCommitGuard, withOwnTransactions } from './transactions.js';

export interface PostgresqlOptions {
  /** Milliseconds a statement may run. */
  longestStatement: number;
  /** The largest answer, in bytes. */
  answerLimit: number | undefined;
  /** Called for each lost connection; the pool replaces it. */
  onError: (error: Error) => void;
  /** Whether a standby will do too. */
  onlyReads?: boolean | undefined;
  /** The positions that reads of keys from standbys have to see, where processes share them. */
  written?: WrittenPositions | undefined;
}

/** How a server is reached. */
export interface PostgresqlPlace {
  address: PostgresqlAddress;
  /** The version of the server, such as 180001. */
  version: number;
  /** Whether a pooler lends sessions for one transaction. */
  isPooled: boolean;
  /** Past the pooler, where there is another way. */
  directUrl: string | undefined;
  /** Hot standbys of it, for reads. */
  readUrls: readonly string[];
}

/**
 * Prisma's adapter and direct access for a PostgreSQL server. Every wait is limited: for a connection, a lock, a
 * statement, an idle transaction, and an answer that never arrives. The URL may override these limits, such as
 * `?lock_timeout=5000`, and sets the number of connections by `?connection_limit=20`.
 */
export function postgresqlAdapter(
  { address, version, isPooled, directUrl, readUrls }: PostgresqlPlace,
  { longestStatement, answerLimit, onError, onlyReads, written }: PostgresqlOptions,
): { adapter: SqlDriverAdapterFactory } & DirectAccess {
  const { schema, connection_limit: connections } = address.parameters;
  // A pooler takes a session back between two statements, so none is sent before the answer to the one before.
  const pipelines = isPooled ? 0 : Math.floor(connections / poolPerPipeline);
  const limits = {
    lock_timeout: 10_000,
    statement_timeout: longestStatement,
    idle_in_transaction_session_timeout: 20_000,
  };
  const isDistributed = address.parameters.profile === 'distributed';
  const settings = sessionSettings(address, limits, version);
  const elsewhere = (url: string) => connectionTo(sessionSettings(readAddress(url), limits, version).connection);
  const connectionTo = (connection: Connection) => ({
    ...connection,
    onlyReads,
    connectionTimeoutMillis: (address.parameters.connect_timeout ?? 5) * 1_000,
    // The server's own limits do not apply if the server is unreachable.
    query_timeout: address.parameters.query_timeout ?? longestStatement + 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  });
  const connection = connectionTo(isPooled ? settings.bareConnection : settings.connection);
  const limitResult = resultLimits(connections, answerLimit);
  const names = isPooled ? noNames : statementNames();
  const [max, { onConnect }] = [connections - pipelines, settings];
  const pool = openPrimaryPool({ connection, max, onConnect, isPooled, names, limitResult, onError });
  const pipelined = new PipelinedReads({
    connection,
    connections: pipelines,
    onConnect: (client) => {
      limitResult(client);
      names.begin(client);
    },
    isOutworn: names.isOutworn,
    onError,
  });
  const options = {
    disposeExternalPool: true,
    schema,
    statementNameGenerator: names.nameOf,
  };
  const queryOf = (sql: string, values: readonly Value[], comment = ''): pg.QueryArrayConfig => {
    const text = sql + comment;
    return { name: names.nameOf({ sql: text }), text, values: [...values], rowMode: 'array' };
  };
  const share = createPoolShare(connections);
  const begin = isPooled ? settings.begin : 'BEGIN';
  const alone = isPooled ? runAlone : undefined;
  const query = (given: pg.QueryArrayConfig, caller: Caller | undefined): Promise<Rows> =>
    runOnPool(pool, caller, async (client) => (await (alone ? alone(client, begin, given) : client.query(given))).rows);
  const read = share.read(
    (sql, values, _reach, caller, comment) => retry(() => query(queryOf(sql, values, comment), caller)),
    (sql, values, size, comment) => pipelined.read(queryOf(sql, values, comment), size),
  );
  const perform: RunProcedure = (work, caller) => runProcedure(pool, { begin, queryOf, alone }, work(), caller);
  const prisma = withComments(withIgnoredCase(new PrismaPg(pool, options)));
  const inTransactions = isPooled ? withOwnTransactions(prisma, settings) : prisma;
  const adapter = share.adapter(withRepeatedStatements(withCommitGuard(inTransactions)));
  const signals = isDistributed
    ? undefined
    : new Notifications({
        connection: directUrl ? elsewhere(directUrl) : connection,
        schema,
        isPooled: isPooled && directUrl === undefined,
        ask: (sql) => read(sql, [], 'bounded'),
        onError,
      });
  const reading =
    readUrls.length > 0
      ? {
          standbys: openStandbys({
            read,
            connections: readUrls.map(elsewhere),
            connectionsEach: connections,
            ...{ answerLimit, queryOf, names, onError, written },
          }),
        }
      : undefined;
  const close = async () => {
    await Promise.all([pipelined.close(), signals?.close(), reading?.standbys.close()]);
  };
  // The adapter closes the pool.
  const readings = () => ({
    waiting: pool.waiting,
    connections: { open: pool.totalCount, used: pool.totalCount - pool.idleCount },
  });
  return { adapter, read, perform, ...(signals && { signals }), ...reading, readings, close };
}

/**
 * Repeats a statement that runs alone, outside of a transaction, when PostgreSQL has undone it because of another
 * transaction. A transaction is repeated as a whole, by the code that began it.
 */
function withRepeatedStatements({ provider, adapterName, connect }: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return { provider, adapterName, connect: async () => repeating(await connect()) };
}

const repeating = (adapter: SqlDriverAdapter): SqlDriverAdapter => ({
  provider: adapter.provider,
  adapterName: adapter.adapterName,
  queryRaw: (query) => retry(() => adapter.queryRaw(query)),
  executeRaw: (query) => retry(() => adapter.executeRaw(query)),
  executeScript: (script) => adapter.executeScript(script),
  startTransaction: (level) => adapter.startTransaction(level),
  getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
  dispose: () => adapter.dispose(),
});

/** Answers Prisma's comparisons that ignore case, whose patterns `markedPattern` has made. */
function withIgnoredCase(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return withQueries(factory, (send) => (query) => send(ignoringCase(query)));
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

/**
 * Sends small reads one after another on few connections, without waiting for the answer to each before the next is
 * sent. PostgreSQL and this process then handle several of them at each wake-up, which takes a third of the time that a
 * connection for each needs. PostgreSQL answers in order, so a read is pipelined only where no slow one is before it.
 */

/** The least bytes that each answer counts. */
const leastAwaited = 4 * 1024;

interface PipelinedReadsOptions extends PipelineOptions {
  /** How many connections to keep. */
  connections: number;
}

class PipelinedReads {
  readonly #pipelines: readonly Pipeline[];

  constructor(options: PipelinedReadsOptions) {
    this.#pipelines = Array.from({ length: options.connections }, () => new Pipeline(options));
  }

  /** Sends a read whose answer will probably have `size` bytes. Undefined if no connection is free enough. */
  read(query: pg.QueryArrayConfig, size: number): Promise<Rows> | undefined {
    const weight = Math.max(size, leastAwaited);
    let best: Pipeline | undefined;
    for (const pipeline of this.#pipelines) {
      if (pipeline.takes(weight) && (!best || pipeline.awaited < best.awaited)) best = pipeline;
    }
    return best?.read(query, weight);
  }

  /** Waits for the reads under way, unless they are given up, and closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.#pipelines.map((pipeline) => pipeline.close()));
  }
}

/**
 * A query with a comment. The comment is kept apart from the text, because repeated queries are recognised by their
 * text.
 */
interface CommentedQuery extends SqlQuery {
  comment?: string;
}

/** Sends the comments of queries with them. */
function withComments(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  const { provider, adapterName } = factory;
  return { provider, adapterName, connect: async () => commentedAdapter(await factory.connect()) };
}

function commentedAdapter(adapter: SqlDriverAdapter): SqlDriverAdapter {
  return {
    ...commentedQueries(adapter),
    executeScript: (script) => adapter.executeScript(script),
    startTransaction: async (isolationLevel) => {
      const transaction = await adapter.startTransaction(isolationLevel);
      return {
        ...commentedQueries(transaction),
        options: transaction.options,
        commit: () => transaction.commit(),
        rollback: () => transaction.rollback(),
        createSavepoint: transaction.createSavepoint?.bind(transaction),
        rollbackToSavepoint: transaction.rollbackToSavepoint?.bind(transaction),
        releaseSavepoint: transaction.releaseSavepoint?.bind(transaction),
      };
    },
    getConnectionInfo: () => adapter.getConnectionInfo?.() ?? { supportsRelationJoins: false },
    dispose: () => adapter.dispose(),
  };
}

const commentedQueries = (queryable: SqlQueryable): SqlQueryable => ({
  provider: queryable.provider,
  adapterName: queryable.adapterName,
  queryRaw: (query) => queryable.queryRaw(withComment(query)),
  executeRaw: (query) => queryable.executeRaw(withComment(query)),
});

function withComment(query: CommentedQuery): SqlQuery {
  return query.comment ? { ...query, sql: query.sql + query.comment } : query;
}
