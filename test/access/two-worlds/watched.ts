/** What the streams of a caller tell while operations go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from './worlds.js';

const event = '{ action type recordId version fields leftId deletedId notice }';

/** Streams of all changes, of one type, and of a filter. */
const subscriptions = [
  `subscription { changes ${event} }`,
  `subscription { assetRepairChanged ${event} }`,
  `subscription { serialNoChanged ${event} }`,
  `subscription { salesInvoicePaymentChanged ${event} }`,
];

export class Watched {
  readonly #ending = new AbortController();
  readonly #texts: string[] = [];

  constructor({ gateway, secret }: World) {
    for (const [place, query] of subscriptions.entries()) {
      this.#texts[place] = '';
      void this.#read(place, `${gateway.url}/graphql`, secret, query).catch(() => undefined);
    }
  }

  async #read(place: number, url: string, secret: string, query: string): Promise<void> {
    const headers = {
      authorization: `Bearer ${secret}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    };
    const { signal } = this.#ending;
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query }), signal });
    const decoder = new TextDecoder();
    for await (const piece of answer.body ?? []) this.#texts[place] += decoder.decode(piece, { stream: true });
  }

  /** What was written before a stream opens may be told or not. */
  async opened(): Promise<void> {
    while (!this.#texts.every((text) => text.includes('OPENED'))) await sleep(20);
  }

  /** The events of each stream, as lines of JSON, once no more come. */
  async events(): Promise<readonly string[]> {
    for (let before = -1; before !== this.#length(); await sleep(300)) before = this.#length();
    return this.#texts.map((text) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .join('\n'),
    );
  }

  #length(): number {
    return this.#texts.reduce((sum, text) => sum + text.length, 0);
  }

  end(): void {
    this.#ending.abort();
  }
}
