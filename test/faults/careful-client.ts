/**
 * A client that makes documents, changes them and reads them, through two gateways in turn. It repeats what was refused with the
 * same `Idempotency-Key` until it is answered, and holds every answer against what it was told before.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Findings } from './findings.js';
import type { Answer, GatewayProcess } from './gateway-process.js';

/** Milliseconds between two steps; before a repetition; and after which a request is given up. */
const pause = 10;
const beforeRepeating = 100;
const patience = 60_000;

const change = `mutation ($id: ID!, $downtime: String!) {
  updateAssetRepair(id: $id, input: { downtime: $downtime }) { record { id downtime version } } }`;
const look = 'query ($id: ID!) { record: assetRepair(id: $id) { id downtime version } }';
const path = '/api/assets/asset-repair';

/** A document as the gateway has acknowledged it. */
export interface Acknowledged {
  asset: string;
  id: string;
  downtime: string | null;
  version: number;
}

interface Request {
  kind: 'write' | 'read';
  method: string;
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

export class CarefulClient {
  #document: Acknowledged | undefined;
  #readAfter: Record<string, string> = {};
  #count = 0;

  constructor(
    private readonly name: string,
    private readonly gateways: readonly GatewayProcess[],
    private readonly findings: Findings,
  ) {}

  /** A write, and two reads of it: one through the same gateway, and one through the other with `Read-After`. */
  async step(): Promise<void> {
    const known = this.#document;
    if (!known || this.#count++ % 4 === 0) await this.#create(`${this.name} ${this.#count}`);
    else await this.#update(known, `${this.#count}`);
    if (this.#document) {
      await this.#read(this.#document, this.#count, {});
      await this.#read(this.#document, this.#count + 1, this.#readAfter);
    }
    await sleep(pause);
  }

  async #create(asset: string): Promise<void> {
    const request = { kind: 'write', method: 'POST', path, body: { asset, failure_date: '' } } as const;
    const answer = await this.#answered(request, this.#count);
    if (!answer) return;
    this.#document = { asset, id: answer.body.id, downtime: null, version: 1 };
    this.findings.documents.push(this.#document);
    this.findings.compare('create', this.#document, recordIn(answer));
  }

  async #update(known: Acknowledged, downtime: string): Promise<void> {
    const body = { query: change, variables: { id: known.id, downtime } };
    const answer = await this.#answered({ kind: 'write', method: 'POST', path: '/graphql', body }, this.#count);
    if (!answer) return;
    known.downtime = downtime;
    known.version++;
    this.findings.compare('update', known, answer.body.data.updateAssetRepair?.record);
  }

  async #read(known: Acknowledged, turn: number, headers: Record<string, string>): Promise<void> {
    const body = { query: look, variables: { id: known.id } };
    const answer = await this.#answered(
      turn % 3 === 0
        ? { kind: 'read', method: 'POST', path: '/graphql', body, headers }
        : { kind: 'read', method: 'GET', path: `${path}/${known.id}`, headers },
      turn,
    );
    if (answer)
      this.findings.compare(`read ${JSON.stringify(headers)}`, known, answer.body.data?.record ?? recordIn(answer));
  }

  /** The answer that is a success. What is refused goes to one gateway and the other in turn; undefined where it is given up. */
  async #answered({ kind, method, path, body, headers }: Request, turn: number): Promise<Answer | undefined> {
    const all = kind === 'write' ? { ...headers, 'idempotency-key': randomUUID() } : (headers ?? {});
    const startedAt = performance.now();
    for (let tries = 0; performance.now() - startedAt < patience; tries++) {
      const gateway = this.gateways[(turn + tries) % this.gateways.length];
      const answer = await gateway?.sendOnce(method, path, body, all).catch(() => undefined);
      if (answer && isSuccess(answer)) {
        if (kind === 'write') this.#readAfter = { 'read-after': answer.headers['read-after'] ?? '' };
        this.findings.succeeded(kind, tries > 0 ? performance.now() - startedAt : 0, answer);
        return answer;
      }
      if (!isRefused(answer)) {
        this.findings.wrong.push(`${method} ${path}: ${answer?.status ?? 'no answer'} ${JSON.stringify(answer?.body)}`);
        if (answer) return undefined;
      }
      this.findings.refused++;
      await sleep(beforeRepeating);
    }
    this.findings.wrong.push(`${method} ${path} was refused for ${patience} ms`);
    return undefined;
  }
}

const isSuccess = ({ status, body }: Answer): boolean => status < 300 && !body?.errors;

/** 503, or what GraphQL says in its place. */
const isRefused = (answer: Answer | undefined): boolean =>
  answer?.status === 503 || answer?.body?.errors?.[0]?.extensions?.code === 'UNAVAILABLE';

/** A record as REST answers it: its version is the ETag. */
const recordIn = ({ body, headers }: Answer) => ({
  id: body.id,
  downtime: body.downtime,
  version: Number((headers.etag ?? '').replaceAll('"', '')),
});
