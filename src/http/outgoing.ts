/**
 * What waits to be sent is held in memory until its client has taken it, so it is counted for all of the process. Reads
 * that would add too much to it are answered `busy`; where changes, which have happened, add still more, everybody is.
 */
import type { ServerResponse } from 'node:http';
import { errors } from '../errors.js';

/** Bytes of large answers that may wait to be sent: to reads, and to all. */
export const mostWaiting = { reads: 128 * 1024 * 1024, all: 256 * 1024 * 1024 };

let waiting = 0;

/** Whether nothing more can be taken on. */
export const isFull = (): boolean => waiting >= mostWaiting.all;

/** Counts so many bytes until the response is over. @throws UNAVAILABLE `busy` for a read for which there is no room */
export function hold(response: ServerResponse, bytes: number, isRead: boolean): void {
  if (isRead && waiting > 0 && waiting + bytes > mostWaiting.reads) throw errors.unavailable('busy');
  if (response.destroyed) return;
  waiting += bytes;
  response.once('close', () => {
    waiting -= bytes;
  });
}
