import type { Provider } from '../src/database/migrations/migration-history.js';
import { type Amounts, lastId, supplyStatements } from './data.js';
import { Connection } from './load/connection.js';
import { bytesOf } from './load/requests.js';
import type { Json, Subject } from './phrases/phrases.js';
import type { Place } from './place.js';
import { progress } from './progress.js';
import { runOn } from './run-sql.js';
import { type ServerProcess, startServer } from './server-process.js';
import { type System, type SystemName, systemOf } from './systems.js';
import type { Operation, Supply } from './workloads.js';

/** A running system with its own database. */
export interface RunningSystem extends System {
  databaseUrl: string;
  server: ServerProcess;
  /** More processes over the same database, which share the load. */
  others?: readonly ServerProcess[];
  /** The processes of its workers, where there are several. */
  workers?: readonly number[];
}

export interface StartOptions {
  /** LOG_LEVEL of the gateway. */
  logLevel: string;
  /** WORKERS of the gateway; by default one. */
  workers?: number;
}

export async function startSystem(
  name: SystemName,
  place: Place,
  amounts: Amounts,
  { logLevel, workers = 1 }: StartOptions,
): Promise<RunningSystem> {
  const system = systemOf(name);
  const command = system.command();
  const databaseUrl = await place.database(system.provider, amounts);
  await system.prepare?.(databaseUrl);
  progress(`Starting ${name}`);
  const env = { LOG_LEVEL: logLevel, WORKERS: String(workers), ...system.env };
  const server = await startServer({ command, databaseUrl, env });
  return { ...system, databaseUrl, server };
}

/** The answer to an operation, in the form in which answers are compared. @throws if it failed */
export async function ask(
  { phrases, server: { port } }: Pick<RunningSystem, 'phrases' | 'server'>,
  operation: Operation,
  subject: Subject,
): Promise<Json> {
  const connection = new Connection(port);
  try {
    const reply = await connection.send(bytesOf(phrases.request(operation, subject)));
    const text = reply.text();
    if (reply.status > 299 || reply.hasErrors) throw new Error(`${operation}: ${reply.status} ${text}`);
    return phrases.answer(operation, JSON.parse(text));
  } finally {
    connection.close();
  }
}

type Stored = Pick<RunningSystem, 'databaseUrl' | 'provider'>;

/** Makes the records that the requests of a workload are about. */
export async function supply({ databaseUrl, provider }: Stored, records: Supply): Promise<void> {
  await runOn(databaseUrl, ['BEGIN', ...supplyStatements(provider, records), 'COMMIT', ...tidied[provider]]);
}

/** Deletes the records that workloads created or were supplied, so that each measurement starts with the same data. */
export async function forgetWrites({ databaseUrl, provider }: Stored): Promise<void> {
  await runOn(databaseUrl, [
    `DELETE FROM "AssetRepair" WHERE "id" > '${lastId('AssetRepair')}'`,
    'DELETE FROM "JournalEntry"',
    ...tidied[provider],
  ]);
}

const tables = '"AssetRepair", "AssetRepairConsumedItem", "AssetRepairPurchaseInvoice"';
const tidied: Record<Provider, string[]> = {
  sqlite: ['PRAGMA wal_checkpoint(PASSIVE)'],
  postgresql: [`VACUUM ANALYZE ${tables}, "RecordCount", "JournalEntry"`, 'CHECKPOINT'],
};
