/** Gateways as an operator runs them: processes of their own, started from what `npm run build` made. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectFolder } from '../../src/common/project.js';
import { requireDescribed } from '../support/described-answers.js';
import { freePort } from '../support/postgresql.js';

export const key = 'a-key-for-the-fault-run';
/** `FAULTS_BUILD` names another build than this project's own, to compare one with the other. */
const main = join(process.env.FAULTS_BUILD ?? join(projectFolder, 'dist'), 'src', 'main.js');

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: every fault reads bodies of its own shape
  body: any;
  headers: Record<string, string>;
  milliseconds: number;
}

/** An unexpected answer. */
export class Unexpected extends Error {}

export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A gateway that is busy for ten seconds is a fault. */
const mostTries = 100;

export class GatewayProcess {
  /** All that it wrote to standard error. */
  log = '';
  /** What it wrote to standard output: where it listens. */
  #told = '';
  readonly ended: Promise<Ending>;

  constructor(
    readonly child: ChildProcess,
    readonly url: string,
  ) {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.log += text;
    });
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#told += text;
    });
    this.ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async stop(): Promise<Ending> {
    this.kill('SIGTERM');
    return this.ended;
  }

  /** The answer to a request with the key; throws if there is none. Repeats the request if the gateway is busy. */
  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries++) {
      const answer = await this.sendOnce(method, path, body, headers);
      const reason = answer.body?.error?.code ?? answer.body?.errors?.[0]?.extensions?.reason;
      const isBusy = answer.status === 503 && reason === 'busy';
      if (!isBusy || tries === mostTries) return { ...answer, milliseconds: performance.now() - startedAt };
      await sleep(100);
    }
  }

  /** The first answer, whatever it says. */
  async sendOnce(method: string, path: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
    const startedAt = performance.now();
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status } = response;
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const answer = { method, path, status, headers: Object.fromEntries(response.headers), text };
    requireDescribed({ ...answer, body: isJson ? JSON.parse(text) : undefined });
    const parsed = text ? JSON.parse(text) : undefined;
    return { status, body: parsed, headers: answer.headers, milliseconds: performance.now() - startedAt };
  }

  /** The data of a GraphQL operation; throws if it has errors. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async graphql(query: string, variables: object = {}): Promise<any> {
    const { body } = await this.send('POST', '/graphql', { query, variables });
    if (body.errors) throw new Unexpected(JSON.stringify(body.errors[0]));
    return body.data;
  }

  /** Resolves once it accepts requests; throws with its output if it ends instead. */
  async ready(patience = 60_000): Promise<this> {
    const startedAt = performance.now();
    while (performance.now() - startedAt < patience) {
      if (!this.isRunning) throw new Error(`The gateway ended: ${this.log}`);
      const answer = await fetch(`${this.url}/readyz`).catch(() => undefined);
      await answer?.text();
      // Another gateway may answer, that was given the same port: this one has said that it listens.
      if (answer?.status === 200 && this.#told.includes(this.url)) return this;
      await sleep(10);
    }
    throw new Error(`The gateway was not ready within ${patience} ms: ${this.log}`);
  }
}

const running = new Set<GatewayProcess>();

// Also where the run is interrupted.
process.on('exit', () => {
  for (const gateway of running) gateway.kill('SIGKILL');
});

export interface StartOptions {
  databaseUrl: string;
  env?: Record<string, string>;
  /** A command that starts the process, for example `['strace', '-D']`. */
  through?: string[];
  /** Flags of Node. */
  flags?: string[];
}

/** Starts a process without waiting until it is ready. */
export async function launch({
  databaseUrl,
  env = {},
  through = [],
  flags = [],
}: StartOptions): Promise<GatewayProcess> {
  const port = await freePort();
  const [command = process.execPath, ...args] = [...through, process.execPath, ...flags, main];
  const child = spawn(command, args, {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      API_KEY: key,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new GatewayProcess(child, `http://127.0.0.1:${port}`);
}

export async function startGateway(options: StartOptions): Promise<GatewayProcess> {
  for (;;) {
    const gateway = await launch(options);
    try {
      return await gateway.ready();
    } catch (error) {
      // A client's connection may have got the port that was free before.
      if (!/Port \d+ on \S+ is in use/.test(gateway.log)) throw error;
    }
  }
}

/** Ends every gateway that is still running. */
export async function killAll(): Promise<void> {
  for (const gateway of running) gateway.kill('SIGKILL');
  await Promise.all([...running].map(({ ended }) => ended));
}
