import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import type { Value } from '../../common/work.js';
import { type PostgresqlAddress, readAddress } from '../address/postgresql-address.js';
import type { Caller } from '../caller.js';
import type { DirectAccess, Rows, RunProcedure } from '../direct-access.js';
import { retry } from '../retry.js';
import { withComments } from './comments.js';
import { withCommitGuard } from './commit-guard.js';
import { withIgnoredCase } from './ignore-case.js';
import { Notifications } from './notifications.js';
import { runAlone, withOwnTransactions } from './own-transactions.js';
import { PipelinedReads } from './pipelined-reads.js';
import { createPoolShare, poolPerPipeline } from './pool/pool-share.js';
import { openPrimaryPool } from './pool/primary-pool.js';
import { runOnPool } from './pool/run-on-pool.js';
import { runProcedure } from './postgresql-procedure.js';
import { withRepeatedStatements } from './repeated-statements.js';
import { resultLimits } from './result-limits.js';
import { type Connection, sessionSettings } from './session-settings.js';
import { openStandbys } from './standbys.js';
import { noNames, statementNames } from './statement-names.js';
import type { WrittenPositions } from './written-positions.js';

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
