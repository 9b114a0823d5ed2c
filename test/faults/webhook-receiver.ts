/** Receivers of webhooks, good and bad, that record every message. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Message {
  id: string;
  position: number;
  document: string;
}

/** `away` listens only now and then. */
export type Manner = 'good' | 'away' | 'stalls' | 'resets' | 'drips' | 'redirects' | 'fails';

/** How a bad receiver answers some messages, each once. */
const answers: Record<Manner, (response: ServerResponse) => void> = {
  good: (response) => response.writeHead(204).end(),
  away: (response) => response.writeHead(503).end(),
  stalls: () => {},
  resets: (response) => response.socket?.resetAndDestroy(),
  drips: (response) => {
    const drip = setInterval(() => response.socket?.write('H'), 200);
    response.on('close', () => clearInterval(drip));
  },
  redirects: (response) => response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  fails: (response) => response.writeHead(500).end(),
};

export class WebhookReceiver {
  /** Messages that were answered with success, in the order of their first arrival. */
  readonly accepted = new Map<number, Message>();
  readonly problems: string[] = [];
  arrivals = 0;
  url = '';
  /** Called with each message before it is answered. */
  onMessage = () => {};
  #behaves = false;
  #leaving: NodeJS.Timeout | undefined;
  readonly #spoilt = new Set<string>();
  readonly #server = createServer(async (request, response) => {
    let text = '';
    try {
      for await (const piece of request.setEncoding('utf8')) text += piece;
    } catch {
      return;
    }
    this.#receive(String(request.headers['webhook-id']), JSON.parse(text), response);
  });

  private constructor(
    readonly manner: Manner,
    /** One of this many messages is answered badly, the first time it comes. */
    private readonly oneOf: number,
  ) {}

  static async start(manner: Manner, oneOf = 40): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(manner, oneOf);
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    const { port } = receiver.#server.address() as AddressInfo;
    receiver.url = `http://127.0.0.1:${port}/`;
    if (manner === 'away') receiver.#leaving = setInterval(() => void receiver.#leave(port), 15_000);
    return receiver;
  }

  /** Resolves when the next message has come, before it is answered, or after so many milliseconds. */
  async nextMessage(patience: number): Promise<void> {
    await Promise.race([
      new Promise<void>((resolve) => {
        this.onMessage = () => {
          this.onMessage = () => {};
          resolve();
        };
      }),
      sleep(patience),
    ]);
  }

  /** Does not listen for three seconds. */
  async #leave(port: number): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await sleep(3000);
    if (this.#leaving) this.#server.listen(port, '127.0.0.1');
  }

  /** Changes of one document whose first success came before that of an earlier one. */
  outOfOrder(): number {
    const last = new Map<string, number>();
    let count = 0;
    for (const { document, position } of this.accepted.values()) {
      if (position < (last.get(document) ?? 0)) count++;
      last.set(document, position);
    }
    return count;
  }

  /** Is a good receiver from now on. */
  async behave(): Promise<void> {
    this.#behaves = true;
    if (this.manner !== 'away') return;
    clearInterval(this.#leaving);
    await sleep(4000);
  }

  close(): void {
    clearInterval(this.#leaving);
    this.#leaving = undefined;
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #receive(id: string, { type, data }: { type: string; data: Record<string, never> }, response: ServerResponse): void {
    this.arrivals++;
    const { position, document } = data;
    if (type === 'gap') this.problems.push(`a gap: ${JSON.stringify(data)}`);
    const message = { id, position: Number(position), document: String(Object(document).id) };
    const known = this.accepted.get(message.position);
    if (known && known.id !== id) this.problems.push(`position ${position} came as ${known.id} and as ${id}`);
    this.onMessage();
    const isSpoilt =
      this.manner !== 'good' && !this.#behaves && !this.#spoilt.has(id) && message.position % this.oneOf === 0;
    this.#spoilt.add(id);
    if (isSpoilt) return answers[this.manner](response);
    if (!known) this.accepted.set(message.position, message);
    answers.good(response);
  }
}
