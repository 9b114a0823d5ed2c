/** Writes documents in large transactions, each with the checkpoint that it has reached. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChangeContext, ChangeHandlers } from '../../../change/context.js';
import type { PlanWriter } from '../../../change/plan.js';
import { rules as ownRules } from '../../../change/rules/index.js';
import { inTransaction, type Procedure } from '../../../common/work.js';
import { databaseProblem } from '../../../database/database-problem.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import type { Database } from '../../../database/open-database.js';
import { StatementBuilder } from '../../../database/statement-builder.js';
import type { Author } from '../../../model/change.js';
import { GatewayError } from '../../../model/errors/gateway-error.js';
import { invalid, type Problem } from '../../../model/errors/problem.js';
import { failureToPrint, TransferError } from '../reports.js';
import { type ImportItem, idsIn, type RefusedLine } from './document-check.js';
import { type WrittenBatch, writeBatch } from './write-batch.js';

/** How far an import has come, stored in the transactions of its documents: an interrupted import continues after it. */
export interface Checkpoint {
  /** Lines of the input that are done with. */
  lines: number;
  /** Documents that were created or changed, those that existed without a difference, and those that were refused. */
  imported: number;
  unchanged: number;
  refused: number;
  isFinished: boolean;
}

export const noCheckpoint: Checkpoint = { lines: 0, imported: 0, unchanged: 0, refused: 0, isFinished: false };

const columns = '"lines", "imported", "unchanged", "refused", "isFinished"';

/** Undefined if there was no such import, or it has stored nothing. */
export function* readCheckpoint(provider: Provider, id: string): Procedure<Checkpoint | undefined> {
  const text = new StatementBuilder(provider);
  const [row] = yield text.statement(`SELECT ${columns} FROM "ImportProgress" WHERE "id" = ${text.bind(id)}`);
  if (!row) return undefined;
  const [lines = 0, imported = 0, unchanged = 0, refused = 0, isFinished = 0] = row.map(Number);
  return { lines, imported, unchanged, refused, isFinished: isFinished === 1 };
}

/** @throws TransferError if another process has imported the same since `from` was read */
function* moveCheckpoint(provider: Provider, id: string, from: Checkpoint, to: Checkpoint): Procedure<void> {
  const text = new StatementBuilder(provider);
  const values = [to.lines, to.imported, to.unchanged, to.refused, to.isFinished].map((value) => text.bind(value));
  const sql =
    from === noCheckpoint
      ? `INSERT INTO "ImportProgress" (${columns}, "id") VALUES (${values.join(', ')}, ${text.bind(id)})
         ON CONFLICT ("id") DO NOTHING RETURNING "id"`
      : `UPDATE "ImportProgress" SET (${columns}) = (${values.join(', ')})
         WHERE "id" = ${text.bind(id)} AND "lines" = ${text.bind(from.lines)} RETURNING "id"`;
  const moved = yield text.statement(sql);
  if (moved.length === 0)
    throw new TransferError('Another process is importing the same input. Wait until it has ended.');
}

export function* forgetCheckpoint(provider: Provider, id: string): Procedure<void> {
  const text = new StatementBuilder(provider);
  yield text.statement(`DELETE FROM "ImportProgress" WHERE "id" = ${text.bind(id)}`);
}

export interface ImportOptions {
  /** Who it is: `import`. */
  name: string;
  /** The rules of record types instead of the gateway's own. */
  rules?: ChangeHandlers['rules'] | undefined;
  writers: readonly PlanWriter[];
  /** Whether documents that exist already are changed; otherwise they are refused. */
  updates: boolean;
  /** Whether everything is done, and then rolled back. */
  isDryRun: boolean;
  /** Whether the import ends with the first refused line. */
  stops: boolean;
  /** Where the checkpoint is stored; undefined if the import cannot be resumed. */
  checkpointId: string | undefined;
  /** What is said of the documents, and of going on, when the database fails. */
  afterFailure: string;
  /** Keeps the refused lines of a transaction before it is committed; called again if the transaction is repeated. */
  refuse?(refusals: readonly RefusedLine[]): void;
  /** Called after each transaction, with the lines that it has refused. */
  report(done: Checkpoint, refusals: readonly RefusedLine[]): void;
}

/** Milliseconds for which a database that is busy is tried again. */
const patience = 60_000;

/** Writes documents in large transactions, each with the checkpoint that it has reached. */
export class Importer {
  readonly #size = new BatchSize();

  /** `done` is the checkpoint from which it goes on. */
  constructor(
    private readonly database: Database,
    private readonly options: ImportOptions,
    private done: Checkpoint,
  ) {}

  /** Imports the items, which come behind those of the checkpoint. @throws TransferError */
  async run(items: AsyncIterable<ImportItem>): Promise<Checkpoint> {
    try {
      for await (const batch of importBatches(items, this.#size, this.options.stops)) {
        if (!(await this.#write(batch))) return this.done;
      }
      await this.#commit([], true);
      return this.done;
    } catch (error) {
      throw failureToPrint(error, this.options.afterFailure);
    }
  }

  /** Returns whether the import goes on. */
  async #write(items: readonly ImportItem[]): Promise<boolean> {
    try {
      return await this.#commit(items, false);
    } catch (error) {
      if (databaseProblem(error)) throw error;
      const [only, ...others] = items;
      const problems = problemsIn(error);
      // One of them caused the error; the others can still be written.
      if (only && others.length > 0) {
        const half = Math.ceil(items.length / 2);
        return (await this.#write(items.slice(0, half))) && (await this.#write(items.slice(half)));
      }
      if (!only || !problems) throw error;
      return await this.#commit([{ ...only, document: undefined, problems }], false);
    }
  }

  async #commit(items: readonly ImportItem[], isFinished: boolean): Promise<boolean> {
    const { stops, report } = this.options;
    const { written, milliseconds } = await this.#patiently(() => this.#transaction(items, isFinished));
    this.#size.took(items.length, milliseconds);
    this.done = this.#after(written, isFinished);
    report(this.done, written.refusals);
    return !(stops && written.refusals.length > 0);
  }

  async #transaction(items: readonly ImportItem[], isFinished: boolean) {
    const { isDryRun, checkpointId, refuse, stops, updates } = this.options;
    const { provider } = this.database;
    let began = 0;
    const work = function* (this: Importer): Procedure<WrittenBatch> {
      began = performance.now();
      const written = yield* writeBatch(this.#writing(), items, { updates, stops });
      refuse?.(written.refusals);
      if (isDryRun) throw new RolledBack(written);
      // A line at which the import stops does not count as done: once it is corrected, it is imported.
      const refused = stops ? { refused: this.done.refused } : {};
      const to = { ...this.#after(written, isFinished), ...refused };
      if (checkpointId !== undefined) yield* moveCheckpoint(provider, checkpointId, this.done, to);
      return written;
    };
    const written = await this.database
      .perform(() => inTransaction(work.call(this)))
      .catch((error: unknown) => {
        if (error instanceof RolledBack) return error.written;
        throw error;
      });
    return { written, milliseconds: performance.now() - began };
  }

  #writing(): ChangeContext {
    const { name, isDryRun, rules = ownRules, writers } = this.options;
    const by: Author = { keyId: name, keyName: `records ${name}`, requestId: name };
    // An import brings documents as they are elsewhere, submitted ones too.
    const kept = isDryRun ? { journal: false, writers: [] } : { journal: 'if on' as const, writers };
    const handlers = { rules, observers: [], locksSubmitted: false, ...kept };
    return { provider: this.database.provider, handlers, by, written: { rows: 0, characters: 0 } };
  }

  #after({ imported, unchanged, refusals, upTo }: WrittenBatch, isFinished: boolean): Checkpoint {
    const done = this.done;
    return {
      lines: Math.max(done.lines, upTo),
      imported: done.imported + imported,
      unchanged: done.unchanged + unchanged,
      refused: done.refused + refusals.length,
      isFinished,
    };
  }

  /** Repeats work while the database is busy: others write too, on SQLite one at a time. */
  async #patiently<Result>(work: () => Promise<Result>): Promise<Result> {
    const until = performance.now() + patience;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (databaseProblem(error) !== 'busy' || performance.now() > until) throw error;
      }
      await sleep(100);
    }
  }
}

class RolledBack extends Error {
  constructor(readonly written: WrittenBatch) {
    super('The dry run is over');
  }
}

/** The problems of a document whose writing was refused; undefined for any other error. */
function problemsIn(error: unknown): readonly Problem[] | undefined {
  if (!(error instanceof GatewayError) || !refusing.includes(error.code)) return undefined;
  const { problems } = error.details;
  if (problems?.length) return problems.map((problem) => ({ ...problem, path: withoutInput(problem.path) }));
  return [invalid([], error.message)];
}

const refusing = ['BAD_USER_INPUT', 'INVALID_STATE', 'VERSION_CONFLICT', 'NOT_FOUND', 'QUERY_TOO_COMPLEX'];

const withoutInput = ([first, ...path]: Problem['path']): Problem['path'] =>
  first === undefined || first === 'input' ? path : [first, ...path];

// Divides documents into batches, each for a transaction of about a tenth of a second.

/** The most documents of a batch, and characters of its lines. */
const most = { documents: 500, characters: 1_000_000 };

/** Milliseconds that a transaction should take: on SQLite others cannot write meanwhile. */
const wanted = 80;

/** How many documents a batch has, by the time that the last ones took. */
class BatchSize {
  documents = 50;

  took(documents: number, milliseconds: number): void {
    // The time of a small batch says little.
    if (milliseconds > wanted) this.documents = Math.max(1, Math.floor((documents * wanted) / milliseconds));
    else if (documents >= this.documents) this.documents = Math.min(most.documents, this.documents * 2);
  }
}

/** A batch names no id twice, so that each document finds those before it in the database. */
async function* importBatches(
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
