/** A PostgreSQL server for both worlds, whose standby answers their reads. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openDatabase } from '../../../src/database/open-database.js';
import { startPostgresql } from '../../support/postgresql.js';
import { makeStandby, replicated } from '../../support/standby.js';

export interface Replicated {
  /** Of a migrated database. */
  url: string;
  /** The address of the same database on the standby. */
  read(url: string): string;
  /** Waits until the standby has all that is written. */
  catchUp(): Promise<void>;
  stop(): Promise<void>;
}

export async function startReplicated(): Promise<Replicated> {
  const primary = await startPostgresql({ flags: replicated });
  const database = await openDatabase({ url: primary.url, migrate: true });
  await database.close();
  await primary.pause();
  const standby = await makeStandby(primary, 'one');
  await primary.resume();
  await standby.start();
  // Connected to another database, because that of the records is copied, which nobody may be connected to.
  const at = (url: string) => new pg.Client(Object.assign(new URL(url), { pathname: 'template1' }).href);
  const [writer, reader] = [at(primary.url), at(standby.url)];
  await Promise.all([writer.connect(), reader.connect()]);
  const placeOf = async (client: pg.Client, place: string) =>
    (await client.query<{ place: string }>(`SELECT ${place} - '0/0' AS place`)).rows.map((row) => Number(row.place))[0];
  return {
    url: primary.url,
    read: (url) => Object.assign(new URL(standby.url), { pathname: new URL(url).pathname }).href,
    async catchUp() {
      const written = (await placeOf(writer, 'pg_current_wal_lsn()')) ?? 0;
      while (((await placeOf(reader, 'pg_last_wal_replay_lsn()')) ?? 0) < written) await sleep(5);
    },
    async stop() {
      await Promise.all([writer.end(), reader.end()]);
      await standby.remove();
      await primary.stop();
    },
  };
}
