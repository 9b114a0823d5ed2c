/** The answers to careful clients, compared with the database afterwards. */
import { isDeepStrictEqual } from 'node:util';
import type { Acknowledged, Shown } from './careful-requests.js';
import type { Answer } from './gateway-process.js';
import { type Row, rowsOf } from './rows.js';
import type { Written } from './written.js';

export class Findings {
  /** As they were acknowledged last. */
  readonly documents: Acknowledged[] = [];
  readonly written: Written[] = [];
  /** Answers other than success and 503, and answers that contradict what was acknowledged. */
  readonly wrong: string[] = [];
  readonly answers = { write: 0, read: 0 };
  /** Milliseconds for which one request was refused until its repetition was answered, at most. */
  longestRefused = 0;
  /** Milliseconds for which one of the gateways took no write, at most: what it refuses is repeated at the other one. */
  longestWithoutWrite = 0;
  /** When the gateways, by their numbers, were sent the first write that they refused, and have taken none since. */
  readonly #refusing = new Map<number, number>();
  refused = 0;
  repeated = 0;
  /** Repetitions whose first request had been carried out, and that got its stored answer. */
  replayed = 0;

  succeeded(kind: 'write' | 'read', refusedFor: number, { headers }: Answer): void {
    this.answers[kind]++;
    this.longestRefused = Math.max(this.longestRefused, refusedFor);
    if (kind === 'write' && refusedFor > 0) this.repeated++;
    if (headers['idempotent-replayed'] === 'true') this.replayed++;
  }

  refusedBy(gateway: number, kind: 'write' | 'read', sentAt: number): void {
    this.refused++;
    if (kind === 'write' && !this.#refusing.has(gateway)) this.#refusing.set(gateway, sentAt);
  }

  takenBy(gateway: number): void {
    const time = performance.now() - (this.#refusing.get(gateway) ?? performance.now());
    this.longestWithoutWrite = Math.max(this.longestWithoutWrite, time);
    this.#refusing.delete(gateway);
  }

  /** Compares what an answer shows of a document. */
  compare(what: string, known: Acknowledged, shown: Shown | undefined): void {
    const expected = Object.fromEntries(Object.entries(known).filter(([name]) => shown && name in shown));
    const found = Object.fromEntries(Object.keys(expected).map((name) => [name, Reflect.get(shown ?? {}, name)]));
    if (shown && isDeepStrictEqual(found, expected)) return;
    this.wrong.push(`${what}: ${JSON.stringify(shown)} instead of ${JSON.stringify(known)}`);
  }

  /** Documents that are not as they were acknowledged, documents and lines that were made twice, and how many there are. */
  async against(url: string): Promise<{ lost: string[]; twice: string[]; unknown: string[]; stored: number }> {
    const rows = await rowsOf(url, 'SELECT "id", "asset", "downtime", "version" FROM "AssetRepair"');
    const lines = await rowsOf(url, 'SELECT "assetRepairId", "itemCode" FROM "AssetRepairConsumedItem" ORDER BY "idx"');
    const stored = new Map(rows.map((row) => [row.id, { ...row, lines: itemsOf(lines, row.id) }]));
    const lost = this.documents.filter((known) => !isDeepStrictEqual(stored.get(known.id), known));
    const written = [...rows.map(({ asset }) => asset), ...lines.map(({ itemCode }) => itemCode)].map(String);
    const acknowledged = new Set(this.documents.flatMap(({ asset, lines }) => [asset, ...lines]));
    return {
      lost: lost.map((known) => `${JSON.stringify(stored.get(known.id))} instead of ${JSON.stringify(known)}`),
      twice: written.filter((each, index) => written.indexOf(each) !== index),
      unknown: written.filter((each) => !acknowledged.has(each)),
      stored: rows.length,
    };
  }
}

const itemsOf = (lines: readonly Row[], id: Row[string] | undefined): string[] =>
  lines.filter(({ assetRepairId }) => assetRepairId === id).map(({ itemCode }) => String(itemCode));
