import type { AskedRecord } from '../../graphql/fields/find-node.js';
import { errors } from '../../model/errors/errors.js';
import type { Resource } from '../../model/resource.js';
import type { RecordReader } from '../sql/record-reader.js';
import type { Rows } from '../sql/statement.js';

/** The JSON of records of several types, up to the limit of the answer. */
export class FoundTexts {
  readonly #texts = new Map<Resource, ReadonlyMap<string, string>>();
  #left: number;

  constructor(private readonly limit: number) {
    this.#left = limit;
  }

  /** Takes the rows of a type, each an id and a record. @throws `answer_too_large` once all together exceed the limit */
  add(resource: Resource, rows: Rows, read: RecordReader): void {
    const texts = new Map<string, string>();
    for (const [id, item] of rows) {
      const text = read(item);
      this.#left -= text.length;
      texts.set(String(id), text);
    }
    if (this.#left < 0) throw errors.answerTooLarge(this.limit);
    this.#texts.set(resource, texts);
  }

  /** The records in the order in which they are asked for; null for a missing one. @throws `answer_too_large` */
  list(asked: readonly AskedRecord[]): string {
    const found = asked.map(({ resource, id }) => resource && this.#texts.get(resource)?.get(id));
    // Each record has been counted once, but the answer may repeat it.
    const size = found.reduce((bytes, text) => bytes + (text?.length ?? 0), 0);
    if (size > this.limit) throw errors.answerTooLarge(this.limit);
    return `[${found.map((text) => text ?? 'null').join()}]`;
  }
}
