import type { AddressInfo } from 'node:net';
import type { Peers } from '../../database/commit-outcome.js';
import type { OpenedDatabase } from '../../database/open-database.js';
import type { WrittenPositions } from '../../database/postgresql/key-positions.js';
import type { Config } from '../config/config.js';
import type { Started } from '../feature.js';
import type { SharedCounts } from '../gateway.js';

/** What distinguishes a worker from a gateway that is a single process. */
export interface Role {
  /** The settings; those of a worker that hold for all of them are those of the primary process. */
  config: Config;
  /** The number of this worker; undefined in a single process. */
  worker?: number;
  /** How many processes share the processors and the limits. */
  processes: number;
  peers?: Peers;
  shared?: SharedCounts;
  /** The positions that reads of keys from standbys have to see, which the workers share. */
  written?: WrittenPositions | undefined;
  /** Whether it makes the database and the first key where there is none. */
  makesFirstKey: boolean;
  /** Which files of an SQLite database other workers have open. */
  joins?: string | undefined;
  /** Whether it deletes what is kept for a time; one of several processes does. */
  sweeps: boolean;
  /** Milliseconds after which a hanging stop is ended. */
  stopTime: number;
  /** Called once this process serves. */
  serves(serving: Serving): Standing;
}

/** A process that serves. */
export interface Serving {
  address: AddressInfo;
  database: OpenedDatabase;
  /** The secret of the first key, if it was just made. */
  madeKey: string | undefined;
  /** What features have begun. */
  started: Required<Started>;
  /** Reads again what may change. */
  reload(): void;
  /** Stops as a signal does it. */
  stop(): void;
}

export interface Standing {
  /** Whether other processes serve at the same address when this one stops. */
  isReplaced(): boolean;
  /** Called when it has stopped serving. Returns what is wrong with its database. */
  end(): string | undefined;
}
