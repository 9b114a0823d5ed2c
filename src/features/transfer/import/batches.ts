/** Divides documents into batches, each for a transaction of about a tenth of a second. */
import { type ImportItem, idsIn } from './import-item.js';

/** The most documents of a batch, and characters of its lines. */
const most = { documents: 500, characters: 1_000_000 };

/** Milliseconds that a transaction should take: on SQLite others cannot write meanwhile. */
const wanted = 80;

/** How many documents a batch has, by the time that the last ones took. */
export class BatchSize {
  documents = 50;

  took(documents: number, milliseconds: number): void {
    // The time of a small batch says little.
    if (milliseconds > wanted) this.documents = Math.max(1, Math.floor((documents * wanted) / milliseconds));
    else if (documents >= this.documents) this.documents = Math.min(most.documents, this.documents * 2);
  }
}

/** A batch names no id twice, so that each document finds those before it in the database. */
export async function* importBatches(
  items: AsyncIterable<ImportItem>,
  size: BatchSize,
  stops: boolean,
): AsyncGenerator<readonly ImportItem[]> {
  let batch: ImportItem[] = [];
  let characters = 0;
  let ids = new Set<string>();
  for await (const item of items) {
    const own = item.document ? [...idsIn(item.document)].map(([, id]) => id) : [];
    const isFull = batch.length >= size.documents || characters + item.text.length > most.characters;
    if (batch.length > 0 && (isFull || own.some((id) => ids.has(id)))) {
      yield batch;
      [batch, characters, ids] = [[], 0, new Set()];
    }
    batch.push(item);
    characters += item.text.length;
    for (const id of own) ids.add(id);
    // Nothing after it is read.
    if (stops && item.problems.length > 0) break;
  }
  if (batch.length > 0) yield batch;
}
