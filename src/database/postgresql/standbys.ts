/**
 * Reads from hot standbys that include what a key has written. A key always reads from the same standby, so that it
 * does not go back in time from one read to the next. When the primary answers instead, later reads of the key see
 * nothing older.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Read, StandbyReads } from '../direct-access.js';
import { ConfirmingClient } from './confirming-client.js';
import { numericHashOf } from './hash-of.js';
import { KeyPositions } from './key-positions.js';
import { FairPool } from './pool/fair-pool.js';
import { createPoolShare } from './pool/pool-share.js';
import { PrimaryPositions } from './primary-positions.js';
import { resultLimits } from './result-limits.js';
import { identity, Standby, StandbyUnusable } from './standby.js';
import { patience } from './standby-faults.js';
import type { StatementNames } from './statement-names.js';
import { beyondAll, walPosition, walText } from './wal-position.js';
import type { WrittenPositions } from './written-positions.js';

export interface StandbysParts {
  /** Reads from the primary. */
  read: Read;
  /** The configuration of each standby's connections. */
  connections: readonly pg.ClientConfig[];
  connectionsEach: number;
  answerLimit: number | undefined;
  queryOf(sql: string, values: readonly (string | number)[], comment?: string): pg.QueryArrayConfig;
  /** Whether a connection has prepared so much that it is to be replaced. */
  names: Pick<StatementNames, 'begin' | 'isOutworn'>;
  onError(error: Error): void;
  /** The positions of all workers; by default this process has its own. */
  written: WrittenPositions | undefined;
}

export interface OpenStandbys extends StandbyReads {
  close(): Promise<void>;
}

export function openStandbys(parts: StandbysParts): OpenStandbys {
  const { queryOf } = parts;
  const positions = new PrimaryPositions(parts.read);
  const keys = parts.written ?? new KeyPositions();
  const places = parts.connections.map((connection) => openStandby(connection, parts));

  const raise = async (keyId: string) => {
    const asked = positions.now().catch(() => beyondAll);
    const position = await Promise.race([asked, sleep(patience, beyondAll, { ref: false })]);
    keys.raise(keyId, position);
    return position;
  };

  return {
    readerFor: (keyId, after, primary) => {
      const { standby, share } = places[numericHashOf(keyId) % places.length] ?? {};
      const given = after === undefined ? 0n : (walPosition(after) ?? beyondAll);
      return async (sql, values, reach, caller, comment) => {
        const floor = positions.floor;
        if (standby && share && floor !== undefined) {
          const required = [floor, keys.of(keyId)].reduce((most, each) => (each > most ? each : most), given);
          const read: Read = (text, given, _reach, caller, note) =>
            standby.read(queryOf(text, given, note), required, caller);
          try {
            if (required < beyondAll)
              return await share.read(read, () => undefined)(sql, values, reach, caller, comment);
          } catch (error) {
            if (!(error instanceof StandbyUnusable)) throw error;
          }
        }
        const rows = await primary(sql, values, reach, caller, comment);
        await raise(keyId);
        return rows;
      };
    },
    written: async (keyId) => walText(await raise(keyId)),
    close: async () => {
      positions.close();
      await Promise.all(places.map(({ pool }) => pool.end()));
    },
  };
}

/** Milliseconds for which a read waits for a connection to its standby before the primary answers it. */
const longestTurn = 200;

function openStandby(connection: pg.ClientConfig, parts: StandbysParts) {
  const { read, connectionsEach, answerLimit, names, onError } = parts;
  const config = { ...connection, connectionTimeoutMillis: patience, pipeline: true };
  const pool = new FairPool({ ...config, max: connectionsEach, turnMillis: longestTurn, Client: ConfirmingClient });
  pool.on('connect', (client) => client.on('error', onError));
  pool.on('error', () => undefined); // the listener of the client reports it
  pool.on('connect', resultLimits(connectionsEach, answerLimit));
  pool.on('connect', names.begin);
  pool.on('release', (_error, client) => {
    if (names.isOutworn(client)) client.end().catch(onError);
  });
  let ofPrimary: Promise<string> | undefined;
  const isCopy = async (client: pg.ClientBase) => {
    ofPrimary ??= Promise.resolve(read(identity, [], 'bounded')).then((rows) => JSON.stringify(rows));
    const { rows } = await client.query<unknown[]>({ text: identity, rowMode: 'array' });
    const expected = await ofPrimary.catch(() => {
      ofPrimary = undefined;
    });
    return JSON.stringify(rows) === expected;
  };
  return { pool, share: createPoolShare(connectionsEach), standby: new Standby({ pool, isCopy, onError }) };
}
