/**
 * Sends one request of a webhook. It follows no redirect, uses no proxy, keeps no more of the answer than its status,
 * and connects only to addresses that the rules permit.
 */
import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { AddressRules } from '../address-rules.js';
import { hostOf } from '../url-problem.js';
import { AddressRefused, pinnedLookup, type ResolveName } from './pinned-lookup.js';
import { failureOf, type SendFailure } from './send-failure.js';

export interface Outgoing {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Aborting it breaks off the request. */
  signal: AbortSignal;
}

/** The outcome of a request: the status that was answered, or why there is none. */
export interface SendResult {
  status: number | undefined;
  failure: SendFailure | undefined;
  milliseconds: number;
}

export interface Sender {
  /** Never rejects. */
  send(outgoing: Outgoing): Promise<SendResult>;
  /** Closes idle connections. */
  close(): void;
}

export const sendTimes = {
  /** Milliseconds from the look-up of the name to the status. */
  answer: 15_000,
  /** Milliseconds for the body after the status; then the connection is closed. */
  body: 1000,
  /** Milliseconds an idle connection is kept open. */
  idle: 10_000,
};
/** Bytes of an answer's body that are read, so that its connection can be used again; they are not kept. */
export const longestAnswerBody = 64 * 1024;

export function createSender(
  rules: AddressRules,
  { resolve, times = sendTimes }: { resolve?: ResolveName; times?: typeof sendTimes } = {},
): Sender {
  const pooled = { keepAlive: true, maxFreeSockets: 1, timeout: times.idle };
  const http = new HttpAgent(pooled);
  const https = new HttpsAgent(pooled);
  const lookup = pinnedLookup(rules, resolve);

  const attempt = ({ url: text, headers, body, signal }: Outgoing): Promise<number> => {
    const url = new URL(text);
    const host = hostOf(url);
    if (isIP(host) && !rules.permits(host, host)) throw new AddressRefused('Webhooks may not be sent to this address');
    const isSecure = url.protocol === 'https:';
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      agent: isSecure ? https : http,
      lookup,
      maxHeaderSize: 16 * 1024,
      signal,
    };
    return new Promise((resolve, reject) => {
      const outgoing = isSecure
        ? httpsRequest(url, { ...options, rejectUnauthorized: true })
        : httpRequest(url, options);
      const late = setTimeout(() => outgoing.destroy(new TimedOut()), times.answer);
      let status: number | undefined;
      outgoing.on('socket', (socket) => checkPeer(socket, (address) => rules.permits(host, address)));
      outgoing.on('error', (error) => {
        if (status !== undefined) return;
        // The receiver has closed an idle connection at the moment in which it was used again.
        const wasIdle = outgoing.reusedSocket && isReset(error);
        reject(wasIdle ? new StaleConnection() : error);
      });
      outgoing.on('response', (answer) => {
        status = answer.statusCode ?? 0;
        clearTimeout(late);
        let length = 0;
        const enough = setTimeout(() => outgoing.destroy(), times.body);
        answer.on('data', (piece: Buffer) => {
          length += piece.length;
          if (length > longestAnswerBody) outgoing.destroy();
        });
        answer.on('error', () => undefined);
        answer.on('close', () => clearTimeout(enough));
      });
      // Without it a receiver that changes to another protocol would be no answer and no error.
      outgoing.on('upgrade', (answer, socket) => {
        status = answer.statusCode ?? 0;
        socket.destroy();
      });
      // The one event that every request ends with, whatever the receiver does.
      outgoing.on('close', () => {
        clearTimeout(late);
        if (status === undefined) reject(new Error('The connection was closed before the answer'));
        else resolve(status);
      });
      outgoing.end(body);
    });
  };

  return {
    async send(outgoing) {
      const startedAt = performance.now();
      const took = () => Math.round(performance.now() - startedAt);
      for (;;) {
        try {
          return { status: await attempt(outgoing), failure: undefined, milliseconds: took() };
        } catch (error) {
          if (error instanceof StaleConnection && took() < times.answer) continue;
          const failure = error instanceof TimedOut ? 'timeout' : failureOf(error);
          return { status: undefined, failure, milliseconds: took() };
        }
      }
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

class TimedOut extends Error {}
class StaleConnection extends Error {}

/** Checks a new connection's peer once more, before anything is sent. */
function checkPeer(socket: Socket, permits: (address: string) => boolean): void {
  if (!socket.connecting) return;
  socket.once('connect', () => {
    if (!permits(socket.remoteAddress ?? '')) socket.destroy(new AddressRefused('The connection led elsewhere'));
  });
}

const isReset = (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || error.code === 'EPIPE';
