/**
 * A client that makes documents, adds lines to them and reads them, through two gateways in turn. It repeats what was refused with the
 * same `Idempotency-Key` until it is answered, and holds every answer against what it was told before.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Acknowledged, type Change, changes, create, looks, ofRest, type Request } from './careful-requests.js';
import type { Findings } from './findings.js';
import type { Answer, GatewayProcess } from './gateway-process.js';

/** Milliseconds between two steps; before a repetition; and until a request is given up. */
const pause = 10;
const beforeRepeating = 100;
const patience = 60_000;

export class CarefulClient {
  #document: Acknowledged | undefined;
  #readAfter: Record<string, string> = {};
  /** The number of the gateway that has answered the last write. */
  #writer = 0;
  #count = 0;

  constructor(
    private readonly name: string,
    private readonly gateways: readonly GatewayProcess[],
    private readonly findings: Findings,
  ) {}

  /** A write, and two reads of it: one through the same gateway, and one through the other with `Read-After`. */
  async step(): Promise<void> {
    const known = this.#document;
    const change = changes[(this.#count % 4) - 1];
    const unique = `${this.name} ${++this.#count}`;
    // Each kind of write goes to each gateway first.
    const gateways = this.#inTurn(this.#count + Math.floor(this.#count / 4));
    if (known && change) await this.#change(known, change, unique, gateways);
    else await this.#create(unique, gateways);
    if (this.#document) {
      await this.#read(this.#document, 0, [this.#writer], {});
      await this.#read(this.#document, 1, this.#inTurn(this.#writer + 1), this.#readAfter);
    }
    await sleep(pause);
  }

  async #create(asset: string, gateways: readonly number[]): Promise<void> {
    const answer = await this.#answered('write', create(asset), gateways);
    if (!answer) return;
    this.#document = { asset, id: answer.body.id, downtime: null, version: 1, lines: [] };
    this.findings.documents.push(this.#document);
    this.findings.compare('create', this.#document, ofRest(answer));
  }

  async #change(
    known: Acknowledged,
    { request, raises, downtime, shown }: Change,
    item: string,
    gateways: readonly number[],
  ): Promise<void> {
    const answer = await this.#answered('write', request(known, item), gateways);
    if (!answer) return;
    known.lines.push(item);
    known.version += raises;
    if (downtime) known.downtime = downtime(item);
    this.findings.compare('change', known, shown(answer));
  }

  async #read(known: Acknowledged, which: number, gateways: readonly number[], headers: Record<string, string>) {
    const look = looks[(this.#count + which) % looks.length];
    if (!look) return;
    const answer = await this.#answered('read', look.request(known), gateways, headers);
    if (answer) this.findings.compare(`read ${JSON.stringify(headers)}`, known, look.shown(answer));
  }

  /** The numbers of all gateways, from this one on. */
  #inTurn(first: number): number[] {
    return this.gateways.map((_, index) => (first + index) % this.gateways.length);
  }

  /** The answer that is a success; undefined where it is given up. What is refused goes to these gateways in turn. */
  async #answered(
    kind: 'write' | 'read',
    { method, path, body }: Request,
    gateways: readonly number[],
    headers: Record<string, string> = {},
  ): Promise<Answer | undefined> {
    const key = randomUUID();
    const all = kind === 'write' ? { 'idempotency-key': key } : headers;
    const startedAt = performance.now();
    for (let tries = 0; performance.now() - startedAt < patience; tries++) {
      const number = gateways[tries % gateways.length] ?? 0;
      const sentAt = performance.now();
      const answer = await this.gateways[number]?.sendOnce(method, path, body, all).catch(() => undefined);
      if (answer && isSuccess(answer)) {
        if (kind === 'write') {
          this.#readAfter = { 'read-after': answer.headers['read-after'] ?? '' };
          this.#writer = number;
          this.findings.takenBy(number);
          this.findings.written.push({ method, path, ...(body && { body }), key });
        }
        this.findings.succeeded(kind, tries > 0 ? performance.now() - startedAt : 0, answer);
        return answer;
      }
      if (!isRefused(answer)) {
        this.findings.wrong.push(`${method} ${path}: ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body)}`);
        if (answer) return undefined;
      }
      this.findings.refusedBy(number, kind, sentAt);
      await sleep(beforeRepeating);
    }
    this.findings.wrong.push(`${method} ${path} was refused for ${patience} ms`);
    return undefined;
  }
}

const isSuccess = ({ status, body }: Answer): boolean => status < 300 && !body?.errors;

/** 503, or the equivalent of GraphQL. */
const isRefused = (answer: Answer | undefined): boolean =>
  answer?.status === 503 || answer?.body?.errors?.[0]?.extensions?.code === 'UNAVAILABLE';
