/** Which of several workers this process is, as the primary process states in its environment. */

import type { Server } from 'node:http';
import type { Seat } from '../../database/postgresql/position-table.js';
import { type Config, type HasSettings, parsedConfig, type SettingTexts, settings } from '../config/config.js';

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
  kept: SettingTexts;
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

/**
 * The settings that hold for all workers together, also those that are not set: the address, and what is counted for all. A
 * replacing worker reads the settings anew, but gets these from the primary process, which has read them at the start.
 */
export const keptOf = (texts: SettingTexts, features: readonly HasSettings[]): SettingTexts =>
  Object.fromEntries(settings(features).flatMap(({ key, isCommon }) => (isCommon ? [[key, texts[key]]] : [])));

/** The settings of a worker that has read `own`. Of standbys, workers have in common only whether there are some. */
export function settingsOf({ texts: own }: Config, kept: SettingTexts, features: readonly HasSettings[]): Config {
  const isAlike = (own.databaseReadUrl === undefined) === (kept.databaseReadUrl === undefined);
  const standbys = isAlike && { databaseReadUrl: own.databaseReadUrl };
  return parsedConfig({ ...own, ...keptOf(kept, features), ...standbys });
}

/** Milliseconds for which a worker that gets more connections than before lets others accept. */
const pause = 0.5;
/** Milliseconds after which it compares with what it has then. */
const comparedEvery = 5_000;

/**
 * Workers race for new connections, and the one that wakes first would take all of a burst while the others still wake. So a
 * worker sleeps for a moment whenever it has more connections than it had lately: the others are awake then, and take
 * their part. Connections that come and go cost no sleep.
 */
export function shareBursts(server: Server): void {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  let open = 0;
  let most = 0;
  setInterval(() => {
    most = open;
  }, comparedEvery).unref();
  server.on('connection', (socket) => {
    open++;
    socket.once('close', () => {
      open--;
    });
    if (open <= most) return;
    most = open;
    if (open > 1) Atomics.wait(nothing, 0, 0, pause);
  });
}
