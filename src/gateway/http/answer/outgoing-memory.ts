/**
 * Memory for answers that clients have not taken yet, counted for the whole process. A read that would exceed its limit
 * is answered `busy`. The answer to a write is always sent, because the write has happened; once such answers fill the
 * second limit, every new request is answered `busy`.
 */
import type { ServerResponse } from 'node:http';
import { errors } from '../../../model/errors/errors.js';

/** Limits in bytes: up to which reads may add, and from which new requests are refused. */
export const mostWaiting = { reads: 96 * 1024 * 1024, all: 256 * 1024 * 1024 };

let waiting = 0;

/** Whether new requests have to be refused. */
export const isFull = (): boolean => waiting >= mostWaiting.all;

/** Bytes of large answers that wait to be taken. */
export const waitingBytes = (): number => waiting;

/** Counts `bytes` until the response is closed. @throws UNAVAILABLE `busy` for a read that does not fit */
export function reserve(response: ServerResponse, bytes: number, isRead: boolean): void {
  if (isRead && waiting > 0 && waiting + bytes > mostWaiting.reads) throw errors.unavailable('busy');
  if (response.destroyed) return;
  waiting += bytes;
  response.once('close', () => {
    waiting -= bytes;
  });
}
