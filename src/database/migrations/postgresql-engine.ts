import { type ColumnType, ColumnTypeEnum, DriverAdapterError, type SqlQuery } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { databaseMessage } from '../database-start-error.js';
import { type ToolSession, withSettings } from '../postgresql/tool-session.js';
import { isConcurrent } from './migration-steps.js';
import type { EngineAdapter } from './schema-engine.js';

/**
 * The adapter of Prisma's schema engine for one PostgreSQL session. Prisma's own adapter would spread the statements
 * over a pool, splits scripts at every semicolon, also inside function bodies, and does not know the type "char" of the
 * system catalogue. `isNew` says that the database has no migrations yet.
 */
export function engineAdapter(
  session: ToolSession,
  { isNew, schema }: { isNew: boolean; schema: string },
): EngineAdapter {
  const { client, isPooled } = session;
  const rowsOf = async ({ sql, args }: SqlQuery) => {
    try {
      return await withSettings(session, () => client.query({ text: sql, values: args, rowMode: 'array', types }));
    } catch (error) {
      throw toAdapterError(error);
    }
  };
  return {
    provider: 'postgres',
    adapterName: 'business-records-gateway-postgresql-migration',
    queryRaw: async (query) => {
      const { fields, rows } = await rowsOf(query);
      return {
        columnNames: fields.map(({ name }) => name),
        columnTypes: fields.map(({ dataTypeID }) => columnTypes[dataTypeID] ?? ColumnTypeEnum.Text),
        rows,
      };
    },
    // `exclusively` already holds this lock in the same session; taking it again would only count it twice.
    executeRaw: async (query) =>
      query.sql.startsWith('SELECT pg_advisory_lock') ? 0 : ((await rowsOf(query)).rowCount ?? 0),
    executeScript: async (script) => {
      // A query without values may hold several statements, which the server splits correctly.
      const isBeside = isConcurrent(script) && !isNew;
      if (isBeside && isPooled) throw toAdapterError(new Error(needsSession));
      const run = isBeside ? runOutside(client, script) : client.query(isNew ? withoutOthers(script) : script);
      await run.catch((error: unknown) => {
        throw toAdapterError(error);
      });
    },
    getConnectionInfo: () => ({ schemaName: schema, supportsRelationJoins: false }),
  };
}

/** A new database has no writers, so an index can be built in the transaction of its table. */
const withoutOthers = (script: string): string =>
  isConcurrent(script) ? script.replace(/\bCONCURRENTLY\b/gi, '') : script;

const needsSession =
  'it builds an index beside writers, which takes a session of its own: set DATABASE_DIRECT_URL to lead past the pooler';

/**
 * Runs the statements of a migration outside of a transaction: commits what was done, with the note that this migration
 * has begun, and begins another transaction for the rest. Its statements block no writers, but may wait long for open
 * transactions.
 */
async function runOutside(client: pg.Client, script: string): Promise<void> {
  await client.query("COMMIT; SET lock_timeout = '10min'");
  try {
    for (const statement of script.split(';')) if (statement.trim() !== '') await client.query(statement);
  } finally {
    await client.query('RESET lock_timeout; BEGIN');
  }
}

// The types of the system catalogue's columns; any other is read as text.
const columnTypes: Record<number, ColumnType> = {
  [pg.types.builtins.BOOL]: ColumnTypeEnum.Boolean,
  [pg.types.builtins.INT2]: ColumnTypeEnum.Int32,
  [pg.types.builtins.INT4]: ColumnTypeEnum.Int32,
  [pg.types.builtins.INT8]: ColumnTypeEnum.Int64,
  [pg.types.builtins.OID]: ColumnTypeEnum.Int64,
  [pg.types.builtins.CHAR]: ColumnTypeEnum.Character,
  [pg.types.builtins.TIMESTAMPTZ]: ColumnTypeEnum.DateTime,
  1003: ColumnTypeEnum.TextArray, // name[]
  1005: ColumnTypeEnum.Int32Array, // int2[]
  1009: ColumnTypeEnum.TextArray, // text[]
};

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    // The engine expects timestamps as ISO text, not as a Date.
    oid === pg.types.builtins.TIMESTAMPTZ
      ? (value: string) => new Date(value).toISOString()
      : pg.types.getTypeParser(oid, format),
};

function toAdapterError(error: unknown): DriverAdapterError {
  const { code = 'N/A', severity = 'ERROR', detail, column, hint } = error instanceof pg.DatabaseError ? error : {};
  const message = databaseMessage(error);
  return new DriverAdapterError({
    originalCode: code,
    originalMessage: message,
    kind: 'postgres',
    code,
    severity,
    message,
    detail,
    column,
    hint,
  });
}
