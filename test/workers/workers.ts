/** A gateway with several workers, as processes of their own. */
import { randomUUID } from 'node:crypto';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { BrokenOff, connectionOf } from '../support/connections.js';
import { freshDatabaseUrl } from '../support/database.js';
import { type GatewayProcess, startProcess } from '../support/process.js';

export const API_KEY = 'a-key-that-is-long-enough';
export const path = '/api/crm/industry-type';

export interface WorkersAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  // biome-ignore lint/suspicious/noExplicitAny: each test reads bodies of its own shape
  body: any;
  /** The request id, by which its line in the log is found. */
  requestId: string;
}

export interface Sent {
  method?: string;
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The connections to use; by default a new one, which the next worker gets. */
  agent?: Agent;
}

export interface Workers {
  gateway: GatewayProcess;
  url: string;
  databaseUrl: string;
  send(sent?: Sent): Promise<WorkersAnswer>;
  /** The number of the worker that has logged the request. */
  workerOf(answer: WorkersAnswer): Promise<number>;
  /** The lines of the log with this message. */
  lines(message: string): Line[];
  /** Waits until so many workers have said that they serve. */
  served(count: number): Promise<Line[]>;
  metrics(): Promise<string>;
  /** The streams of each worker that has any. Metrics are read once a second. */
  streams(): Promise<ReadonlyMap<number, number>>;
}

export interface Line {
  msg: string;
  worker?: number;
  pid?: number;
  requestId?: string;
  [name: string]: unknown;
}

/** Starts a gateway with two workers, and with these lines of `.env`, and waits until both serve. It ends with the test. */
export async function startWorkers(
  provider: Provider,
  environment: Record<string, string | undefined> = {},
  settings: string[] = [],
  built?: string,
): Promise<Workers> {
  const databaseUrl = environment.DATABASE_URL ?? (await freshDatabaseUrl(provider));
  const given = { API_KEY, WORKERS: '2', METRICS_PORT: '0', ...environment, DATABASE_URL: databaseUrl };
  const set = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const gateway = startProcess(Object.fromEntries(set), [], settings, built);
  onTestFinished(async () => {
    gateway.child.kill('SIGKILL');
    await gateway.ended;
  });
  const url = await gateway.ready();
  const all = (): Line[] =>
    gateway
      .log()
      .split('\n')
      .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []));
  const lines = (message: string) => all().filter(({ msg }) => msg === message);
  const workers: Workers = {
    ...{ gateway, url, databaseUrl, lines },
    send: (sent = {}) => send(url, sent),
    workerOf: async ({ requestId }) => {
      const own = () => lines('request').find((line) => line.requestId === requestId)?.worker;
      await expect.poll(own).toBeDefined();
      return Number(own());
    },
    served: async (count) => {
      await expect.poll(() => lines('A worker serves').length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count);
      return lines('A worker serves');
    },
    metrics: async () => (await fetch(/Metrics {3}(http:\S+)/.exec(gateway.output())?.[1] ?? '')).text(),
    streams: async () => {
      const found = (await workers.metrics()).matchAll(/^records_streams\{worker="(\d)"\} ([1-9]\d*)$/gm);
      return new Map([...found].map(([, worker, count]) => [Number(worker), Number(count)]));
    },
  };
  await workers.served(2);
  return workers;
}

/** Rejects with `BrokenOff` where the connection is refused or breaks off. */
async function send(url: string, { method = 'GET', path: address = path, body, headers = {}, agent }: Sent) {
  const requestId = randomUUID();
  const outgoing = request(url + address, {
    method,
    agent: agent ?? new Agent({ keepAlive: false }),
    headers: {
      authorization: `Bearer ${API_KEY}`,
      'content-type': 'application/json',
      'x-request-id': requestId,
      ...headers,
    },
  });
  const connection = connectionOf(outgoing);
  outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  const { response, answered } = await answerOf(outgoing).catch((error) => {
    throw new BrokenOff(connection(), error);
  });
  const isJson = /json/.test(response.headers['content-type'] ?? '');
  const parsed = isJson ? JSON.parse(answered) : answered;
  return { status: response.statusCode ?? 0, headers: response.headers, body: parsed, requestId };
}

async function answerOf(outgoing: ClientRequest): Promise<{ response: IncomingMessage; answered: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject);
  });
  return { response, answered: await text(response) };
}
