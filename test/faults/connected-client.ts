/** A client that has one connection at a time, and knows which. */
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { BrokenOff, type Connection, connectionOf } from '../support/connections.js';
import { requireDescribed } from '../support/described-answers.js';
import { type Answer, key } from './gateway-process.js';

/** Milliseconds before a request is repeated that was refused because the gateway is busy, and how often it is. */
const beforeRepeating = 100;
const mostTries = 100;

export class ConnectedClient {
  #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #sent = 0;
  #connection: () => Connection | undefined = () => undefined;

  /** After `perConnection` requests it takes another connection, which any process may accept that listens there. */
  constructor(
    private readonly url: string,
    private readonly perConnection: number,
  ) {}

  /** The one that it has used last. */
  get connection(): Connection | undefined {
    return this.#connection();
  }

  /** @throws BrokenOff where there is no answer */
  async send(method: string, path: string, body?: unknown): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#sendOnce(method, path, body);
      const isBusy = answer.status === 503 && answer.body?.error?.code === 'busy';
      if (!isBusy || tries === mostTries) return answer;
      await sleep(beforeRepeating);
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #sendOnce(method: string, path: string, body?: unknown): Promise<Answer> {
    const startedAt = performance.now();
    const { status, headers, answered } = await this.#exchange(method, path, body);
    const parsed = JSON.parse(answered);
    requireDescribed({ method, path, status, headers, text: answered, body: parsed });
    const shown = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    return { status, body: parsed, headers: shown, milliseconds: performance.now() - startedAt };
  }

  async #exchange(method: string, path: string, body: unknown) {
    const sent = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    if (++this.#sent % this.perConnection === 0) {
      this.#agent.destroy();
      this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
    }
    const outgoing = request(this.url + path, { method, agent: this.#agent, headers: sent });
    this.#connection = connectionOf(outgoing);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once('response', resolve).once('error', reject);
      });
      const { statusCode: status = 0, headers } = response;
      return { status, headers, answered: await text(response) };
    } catch (error) {
      throw new BrokenOff(this.#connection(), error);
    }
  }
}
