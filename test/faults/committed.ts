/**
 * The committed changes of a database, by its journal and its records, compared with acknowledged and reported changes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from './change-writer.js';
import { foreign } from './held-transactions.js';
import { type Row, rowsOf } from './rows.js';
import type { Kind } from './stream-subscriber.js';

export class Committed {
  private constructor(
    /** In the order of their positions. */
    readonly entries: readonly Row[],
    /** Versions of the documents that are there. */
    private readonly versions: ReadonlyMap<string, number>,
  ) {}

  static async in(databaseUrl: string): Promise<Committed> {
    const position = databaseUrl.startsWith('file:') ? '"entry"' : '"position"';
    const columns = `${position} AS position, "action", "model", "recordId", "documentModel", "documentId", "revision", "requestId"`;
    // PostgreSQL: entries are numbered within a second, whether or not somebody reads them.
    for (let waited = 0; waited < 10_000; waited += 100) {
      const rows = await rowsOf(databaseUrl, `SELECT ${columns} FROM "JournalEntry" ORDER BY 1`);
      const documents = await rowsOf(databaseUrl, 'SELECT "id", "version" FROM "AssetRepair"');
      const entries = rows.map((row) => ({ ...row, position: row.position === null ? null : Number(row.position) }));
      if (entries.every((entry) => entry.position !== null)) {
        return new Committed(entries, new Map(documents.map(({ id, version }) => [String(id), Number(version)])));
      }
      await sleep(100);
    }
    throw new Error('There are entries without a position');
  }

  get last(): number {
    return Number(this.entries.at(-1)?.position ?? 0);
  }

  /**
   * Behind a position: acknowledged changes without an entry, entries of refused requests, and entries of unknown
   * requests.
   */
  comparedWith(
    outcomes: ReadonlyMap<string, Outcome>,
    begun: number,
  ): { lost: string[]; notUndone: string[]; unknown: string[] } {
    const found = new Map<string, Set<string>>();
    for (const { position, requestId, recordId, action } of this.entries) {
      if (Number(position) <= begun) continue;
      const id = String(requestId);
      found.set(id, (found.get(id) ?? new Set()).add(`${action} ${recordId}`));
    }
    const lost: string[] = [];
    const notUndone: string[] = [];
    for (const [requestId, outcome] of outcomes) {
      const entries = found.get(requestId);
      if (outcome === 'unknown') continue;
      const acknowledged = outcome === 'refused' ? [] : outcome.map(({ id, action }) => `${action} ${id}`);
      if (acknowledged.length === 0 && entries) notUndone.push(`${outcome} ${[...entries].join(', ')}`);
      for (const each of acknowledged) if (!entries?.has(each)) lost.push(`${requestId}: ${each}`);
    }
    const unknown = [...found.keys()].filter((id) => !outcomes.has(id) && id !== foreign);
    return { lost, notUndone, unknown };
  }

  /** Documents whose versions are not each in the journal, once and in order, up to the present one or to a delete. */
  incompleteDocuments(): string[] {
    const own = this.entries.filter(
      ({ model, recordId, documentId }) => model === 'AssetRepair' && recordId === documentId,
    );
    const byDocument = new Map<string, Row[]>();
    for (const entry of own) {
      const id = String(entry.documentId);
      const known = byDocument.get(id);
      if (known) known.push(entry);
      else byDocument.set(id, [entry]);
    }
    const incomplete = [...byDocument].filter(([id, entries]) => {
      const isInOrder = entries.every(({ revision }, index) => Number(revision) === index + 1);
      const isGone = entries.at(-1)?.action === 'delete';
      return !isInOrder || (isGone ? this.versions.has(id) : this.versions.get(id) !== entries.length);
    });
    const silent = [...this.versions.keys()].filter((id) => !byDocument.has(id));
    return [...incomplete.map(([id]) => id), ...silent];
  }

  /** The record of each position that a subscriber must get. */
  toBeTold(kind: Kind): Map<number, string> {
    if (kind !== 'documents') {
      return new Map(this.entries.map(({ position, recordId }) => [Number(position), String(recordId)]));
    }
    // One event for each version of a document, at the highest of its positions.
    const last = new Map<string, number>();
    for (const { documentModel, documentId, revision, position } of this.entries) {
      if (documentModel === 'AssetRepair') last.set(`${documentId} ${revision}`, Number(position));
    }
    return new Map([...last].map(([key, position]) => [position, key.slice(0, key.indexOf(' '))]));
  }
}

/** The elements that only one has, or that differ. */
export function differences(wanted: ReadonlyMap<number, string>, told: ReadonlyMap<number, string>) {
  const missing = [...wanted].filter(([position]) => !told.has(position));
  const wrong = [...told].filter(([position, id]) => wanted.get(position) !== id);
  return { missing: missing.length, wrong: wrong.length };
}
