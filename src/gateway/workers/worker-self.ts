/** Which of several workers this process is, as the primary process states in its environment. */
import type { KeptSettings } from './kept-settings.js';
import type { Seat } from './position-table.js';

export interface WorkerSelf {
  /** From 1. A worker that replaces another one has the same number. */
  number: number;
  /** Whether it is the first worker of the gateway, which makes the first key. */
  isFirst: boolean;
  /** Which files of an SQLite database the others have open that serve when it is started. */
  opened?: string | undefined;
  /** Whether another one has seen that the database file was overwritten. */
  isOverwritten: boolean;
  /** The settings of the primary process that hold for all workers. */
  kept: KeptSettings;
  /**
   * Where it writes the positions that reads of keys from standbys have to see; undefined where there are no standbys.
   */
  seat?: Seat | undefined;
}

const variable = 'RECORDS_WORKER';

export const environmentOf = (self: WorkerSelf): Record<string, string> => ({ [variable]: JSON.stringify(self) });

/** Undefined in a process that is no worker. */
export function readWorkerSelf({ env, send } = process): WorkerSelf | undefined {
  const said = env[variable];
  // Without a channel it was not started by a primary process, whatever the environment says.
  return send === undefined || said === undefined ? undefined : JSON.parse(said);
}

/** The first worker could not be started. It has said why, and ended with `code`. */
export class FirstWorkerEnded extends Error {
  constructor(readonly code: number) {
    super('The first worker could not be started');
  }
}
