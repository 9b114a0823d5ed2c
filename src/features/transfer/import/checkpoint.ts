/**
 * How far an import has come, stored in the transactions of its documents: an interrupted import continues after it.
 */

import { type Procedure, rows } from '../../../common/work.js';
import type { Provider } from '../../../database/migrations/migration-history.js';
import { TransferError } from '../transfer-error.js';

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

const place = (provider: Provider, number: number): string => (provider === 'sqlite' ? '?' : `$${number}`);

/** Undefined if there was no such import, or it has stored nothing. */
export function* readCheckpoint(provider: Provider, id: string): Procedure<Checkpoint | undefined> {
  const [row] = yield* rows(`SELECT ${columns} FROM "ImportProgress" WHERE "id" = ${place(provider, 1)}`, [id]);
  if (!row) return undefined;
  const [lines, imported, unchanged, refused, isFinished] = row;
  return {
    lines: Number(lines),
    imported: Number(imported),
    unchanged: Number(unchanged),
    refused: Number(refused),
    isFinished: isFinished === true || Number(isFinished) === 1,
  };
}

/** @throws TransferError if another process has imported the same since `from` was read */
export function* moveCheckpoint(provider: Provider, id: string, from: Checkpoint, to: Checkpoint): Procedure<void> {
  const values = [to.lines, to.imported, to.unchanged, to.refused];
  const places = values.map((_, index) => place(provider, index + 1));
  const isFinished = provider === 'sqlite' ? Number(to.isFinished) : to.isFinished;
  const [id1, lines] = [place(provider, 5), place(provider, 6)];
  const moved =
    from === noCheckpoint
      ? yield* rows(
          `INSERT INTO "ImportProgress" (${columns}, "id") VALUES (${places.join(', ')}, ${isFinished}, ${id1})
           ON CONFLICT ("id") DO NOTHING RETURNING "id"`,
          [...values, id],
        )
      : yield* rows(
          `UPDATE "ImportProgress" SET (${columns}) = (${places.join(', ')}, ${isFinished})
           WHERE "id" = ${id1} AND "lines" = ${lines} RETURNING "id"`,
          [...values, id, from.lines],
        );
  if (moved.length === 0)
    throw new TransferError('Another process is importing the same input. Wait until it has ended.');
}

export function* forgetCheckpoint(provider: Provider, id: string): Procedure<void> {
  yield* rows(`DELETE FROM "ImportProgress" WHERE "id" = ${place(provider, 1)}`, [id]);
}
