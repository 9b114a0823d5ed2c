/**
 * Sends one request that the gateway itself makes. It follows no redirect, uses no proxy, keeps no more of the answer than
 * its status and what it is asked to keep, and connects only to addresses that the rules permit.
 */

import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { Agent as HttpAgent, request } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { systemCode } from '../../common/write-problem.js';
import { type AddressRules, hostOf } from './address-rules.js';

export interface Outgoing {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Sent by POST; without it the request is a GET. */
  body?: string;
  /** The most bytes of the answer's body that are kept; without it none is. */
  kept?: number;
  /** Aborting it breaks off the request. */
  signal: AbortSignal;
}

interface SentAnswer {
  status: number;
  /** The whole body, where it was to be kept and is not longer. */
  body?: Buffer | undefined;
}

/** The outcome of a request: the status that was answered, or why there is none. */
export interface SendResult extends Pick<SentAnswer, 'body'> {
  status: number | null;
  failure: SendFailure | null;
  milliseconds: number;
}

export type Sender = ReturnType<typeof createSender>;

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
  {
    // The name servers are asked directly, because the system's look-up occupies threads that other work needs. Only names
    // that the operator allows, which may be known to this machine alone, are left to it.
    resolve = (host) => (rules.namesHost(host) ? lookup(host, { all: true }) : askNameServers(host)),
    times = sendTimes,
  }: { resolve?: ResolveName; times?: typeof sendTimes } = {},
) {
  const pooled = { keepAlive: true, maxFreeSockets: 1, timeout: times.idle };
  const http = new HttpAgent(pooled);
  // Also where the environment says that certificates are not to be checked.
  const https = new HttpsAgent({ ...pooled, rejectUnauthorized: true });
  const pinned = pinnedLookup(rules, resolve);

  const attempt = (given: Outgoing): Promise<SentAnswer> => {
    const { url: text, headers, body, kept, signal } = given;
    const url = new URL(text);
    const host = hostOf(url);
    if (isIP(host) && !rules.permits(host, host)) throw new Unsent('address_refused');
    return new Promise((resolve, reject) => {
      const outgoing = request(url, {
        ...(body === undefined
          ? { method: 'GET', headers }
          : { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } }),
        agent: url.protocol === 'https:' ? https : http,
        lookup: pinned,
        maxHeaderSize: 16 * 1024,
        signal,
      });
      const late = setTimeout(() => outgoing.destroy(new Unsent('timeout')), times.answer);
      let status: number | undefined;
      let whole: Buffer | undefined;
      // The peer of a new connection is checked once more, before anything is sent.
      outgoing.on('socket', (socket) => {
        if (!socket.connecting) return;
        socket.once('connect', () => {
          if (!rules.permits(host, socket.remoteAddress ?? '')) socket.destroy(new Unsent('address_refused'));
        });
      });
      outgoing.on('error', (error) => {
        if (status !== undefined) return;
        // The receiver has closed an idle connection at the moment in which it was used again.
        if (outgoing.reusedSocket && isReset(error)) resolve(attempt(given));
        else reject(error);
      });
      outgoing.on('response', (answer) => {
        status = answer.statusCode ?? 0;
        clearTimeout(late);
        let length = 0;
        const pieces: Buffer[] = [];
        const enough = setTimeout(() => outgoing.destroy(), times.body);
        answer.on('data', (piece: Buffer) => {
          length += piece.length;
          if (length > (kept ?? longestAnswerBody)) outgoing.destroy();
          else if (kept !== undefined) pieces.push(piece);
        });
        answer.on('end', () => {
          if (kept !== undefined) whole = Buffer.concat(pieces);
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
        else resolve({ status, body: whole });
      });
      outgoing.end(body);
    });
  };

  return {
    /** Never rejects. */
    async send(outgoing: Outgoing): Promise<SendResult> {
      const startedAt = performance.now();
      const took = () => Math.round(performance.now() - startedAt);
      try {
        return { ...(await attempt(outgoing)), failure: null, milliseconds: took() };
      } catch (error) {
        return { status: null, failure: failureOf(error), milliseconds: took() };
      }
    },
    /** Closes idle connections. */
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

class Unsent extends Error {
  constructor(readonly failure: SendFailure) {
    super(failure);
  }
}

const isReset = (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || error.code === 'EPIPE';

type SendFailure = keyof typeof sendFailures;

/** What each means, for those who read the log of deliveries. */
export const sendFailures = {
  address_refused: 'The host has an address that webhooks may not be sent to.',
  name_unknown: 'The name of the host could not be resolved.',
  connection_failed: 'The host could not be reached, or broke off the connection.',
  tls_failed: 'The certificate of the host is not valid for its name.',
  timeout: 'The host has not answered in time.',
  answer_invalid: 'The host has answered something that is not HTTP.',
  broken_off: 'The gateway stopped before the host had answered.',
} as const;

/** The failure behind an error of a request; its message, which may hold the address, is not kept. */
function failureOf(error: unknown): SendFailure {
  if (error instanceof Unsent) return error.failure;
  const code = systemCode(error);
  if (code === 'ABORT_ERR') return 'broken_off';
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EAI_|EBADNAME|EBADRESP|ENONAME|ETIMEOUT)/.test(code))
    return 'name_unknown';
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) return 'tls_failed';
  if (code.startsWith('HPE_')) return 'answer_invalid';
  return code === 'ETIMEDOUT' ? 'timeout' : 'connection_failed';
}

/** Resolves a name to all its addresses; rejects if there are none. */
type ResolveName = (host: string) => Promise<LookupAddress[]>;

/**
 * A look-up for `net.connect` that passes on only addresses that the rules permit. Connections use the addresses it has
 * checked, so a name that changes its address in between gains nothing. If any of the addresses is refused, all are.
 */
function pinnedLookup(rules: AddressRules, resolve: ResolveName): LookupFunction {
  return (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || addresses.some(({ address }) => !rules.permits(host, address))) {
          return callback(new Unsent('address_refused'), '');
        }
        return all ? callback(null, addresses) : callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}

/** The addresses that the name servers give for `host`, IPv4 first. @param servers by default those of the system */
export async function askNameServers(host: string, servers?: readonly string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [
    ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
    ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
}
