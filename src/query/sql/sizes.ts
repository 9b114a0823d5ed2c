/** Conditions with which a statement counts the bytes of its answer. */
import { errors } from '../../model/errors/errors.js';
import type { SqlBuilder } from './statement.js';

/**
 * Counts each line, called `item`, with the bytes of its frame (`frameBytes`). Undefined if lines are counted before
 * they are built. On PostgreSQL, where each count takes 1 µs, small lines at the beginning of a list are counted only
 * as a part of their row. `hasPlaces` says that the list has all lines of its record by their places.
 */
export function lineCounted({ dialect, answerSize }: SqlBuilder, frame: number, hasPlaces = false): string | undefined {
  if (answerSize.inAdvance) return undefined;
  const size = dialect.size('item');
  const counted = dialect.countedLine(size, frame, answerSize.limit);
  return hasPlaces && dialect.lacksKeys ? `(place <= ${firstLines} AND ${size} < ${smallLine} OR ${counted})` : counted;
}

/** Of so many first lines, small ones are not counted by themselves: at most 2 MB, which their row then counts. */
const firstLines = 2_048;
const smallLine = 1_024;

/** Bytes below which a row is not counted: a page has at most a thousand rows. */
const smallRow = 4096;

/**
 * Counts each row of a page that holds these objects, with the bytes of their frames. The condition uses every object,
 * and none of them is NULL. On SQLite, where frames are subtracted, a row with lines is counted however small it is:
 * otherwise the frames of its lines would be subtracted from the next row. On PostgreSQL small rows are not counted,
 * because each count takes 3 µs.
 */
export function rowCounted({ dialect, answerSize }: SqlBuilder, objects: readonly string[], frame: number): string {
  if (answerSize.inAdvance || objects.length === 0) return 'true';
  const size = objects.map((object) => dialect.size(object)).join(' + ');
  const counted = dialect.countedRow(size, frame, answerSize.limit);
  const hasFrames = answerSize.hasLines && !dialect.lacksKeys;
  return hasFrames ? counted : `(${size} < ${smallRow} OR ${counted})`;
}

/** The text of an object, if with the bytes of its frame it does not exceed the limit by itself. */
export function wholeText({ dialect, answerSize }: SqlBuilder, object: string, frame: number): string {
  const item = dialect.madeOnce(`SELECT ${object} AS item`);
  const count = answerSize.hasLines || answerSize.inAdvance ? dialect.countedRow : dialect.checkedRow;
  return `(SELECT ${dialect.text('item')} FROM ${item} AS whole WHERE ${count(dialect.size('item'), frame, answerSize.limit)})`;
}

/** Counts the bytes of an answer in this process. `most` may be another number than the limit that an error names. */
export class AnswerRoom {
  #left: number;

  constructor(
    private readonly limit: number,
    most = limit,
  ) {
    this.#left = most;
  }

  /** @throws `answer_too_large` once all together exceed the limit */
  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw errors.answerTooLarge(this.limit);
  }
}

/** The object, built only if the texts of its own columns, multiplied by their number of uses, are within the limit. */
export function countedInAdvance(
  { dialect, answerSize }: SqlBuilder,
  object: string,
  keys: readonly string[],
  texts: ReadonlyMap<string, number>,
): string {
  const frame = keys.reduce((bytes, key) => bytes + Buffer.byteLength(key) + '"":,'.length, 0);
  const sizes = [...texts].map(([column, times]) => `${times} * ${dialect.sizeOfText(column)}`);
  return `CASE WHEN ${dialect.countedLine([frame, ...sizes].join(' + '), 0, answerSize.limit)} THEN ${object} END`;
}
