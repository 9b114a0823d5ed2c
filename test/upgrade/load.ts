/** Clients that write and read without a pause, through whichever gateways serve, and check every answer. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A gateway as its clients see it. */
export interface Serving {
  url: string;
  /** Requests that it has answered. */
  answered: number;
}

export class Load {
  /** Refused requests and wrong answers. */
  readonly problems: string[] = [];
  readonly #key: string;
  readonly #gateways = new Map<Serving, number>();
  readonly #clients: Promise<void>[];
  #isOver = false;
  #kept = 0;

  constructor(key: string, clients: number, first: Serving) {
    this.#key = key;
    this.add(first);
    this.#clients = Array.from({ length: clients }, (_, number) => this.#client(number));
  }

  /** Records that exist at the end. */
  get kept(): number {
    return this.#kept;
  }

  add(gateway: Serving): void {
    this.#gateways.set(gateway, 0);
  }

  /** Sends no more requests to the gateway, like a proxy that removes it; resolves when all requests are answered. */
  async remove(gateway: Serving): Promise<void> {
    const underWay = () => this.#gateways.get(gateway) ?? 0;
    this.#leaving.add(gateway);
    while (underWay() > 0) await sleep(5);
    this.#gateways.delete(gateway);
    this.#leaving.delete(gateway);
  }
  readonly #leaving = new Set<Serving>();

  /** Resolves when each of the gateways has answered `count` more requests. */
  async goOn(requests: number): Promise<void> {
    const goals = [...this.#gateways.keys()].map((gateway) => ({ gateway, answered: gateway.answered + requests }));
    while (this.problems.length === 0 && goals.some(({ gateway, answered }) => gateway.answered < answered))
      await sleep(10);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#clients);
  }

  async #client(number: number): Promise<void> {
    for (let round = 0; !this.#isOver && this.problems.length < 10; round++) {
      await this.#round(`client ${number} round ${round}`, round).catch((error: unknown) =>
        this.problems.push(String(error)),
      );
    }
  }

  /**
   * Creates a document with lines, reads it, changes it, and deletes every second one; each request goes to any of the
   * gateways.
   */
  async #round(asset: string, round: number): Promise<void> {
    const input = {
      asset,
      failureDate: '2026-11-20',
      repairCost: round,
      consumedItems: [{ itemCode: 'OIL', warehouse: 'Stores' }],
    };
    const { record } = await this.#graphql(
      'mutation ($input: CreateAssetRepairInput!) { made: createAssetRepair(input: $input) { record { id version repairCost consumedItems { idx itemCode } } } }',
      { input },
    );
    const made = isRecord(record) ? record : {};
    this.#expect(asset, made, { version: 1, repairCost: round, consumedItems: [{ idx: 1, itemCode: 'OIL' }] });
    const path = `/api/assets/asset-repair/${made.id}`;
    this.#expect(asset, await this.#rest('GET', path), { id: made.id, asset, repair_cost: round, description: null });
    const body = { description: asset, repair_cost: round + 0.5 };
    this.#expect(asset, await this.#rest('PATCH', path, body), { id: made.id, asset, ...body });
    const read = await this.#graphql(
      'query ($id: ID!) { made: assetRepair(id: $id) { id version description repairCost } }',
      { id: made.id },
    );
    this.#expect(asset, read, { id: made.id, version: 2, description: asset, repairCost: round + 0.5 });
    if (round % 2 === 0) this.#kept++;
    else await this.#rest('DELETE', path);
  }

  #expect(asset: string, found: Record<string, unknown>, wanted: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(wanted)) {
      if (JSON.stringify(found[name]) !== JSON.stringify(value)) {
        this.problems.push(`${asset}: ${name} is ${JSON.stringify(found[name])} in place of ${JSON.stringify(value)}`);
      }
    }
  }

  async #graphql(query: string, variables: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { data, errors } = await this.#rest('POST', '/graphql', { query, variables });
    const made = isRecord(data) && data.made;
    if (errors || !isRecord(made)) throw new Error(`${query}: ${JSON.stringify(errors ?? data)}`);
    return made;
  }

  async #rest(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
    const gateways = [...this.#gateways.keys()].filter((gateway) => !this.#leaving.has(gateway));
    const gateway = gateways[Math.floor(Math.random() * gateways.length)];
    if (!gateway) throw new Error('No gateway serves');
    this.#count(gateway, 1);
    try {
      const answer = await fetch(gateway.url + path, {
        method,
        headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
      gateway.answered++;
      const found: unknown = text === '' ? {} : JSON.parse(text);
      return isRecord(found) ? found : {};
    } finally {
      this.#count(gateway, -1);
    }
  }

  #count(gateway: Serving, change: number): void {
    this.#gateways.set(gateway, (this.#gateways.get(gateway) ?? 0) + change);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
