/** The conditions by which a statement counts the bytes of its answer. */
import type { Writing } from './statement.js';

/** Of each line, called `item`; undefined where it has been counted before it was made. */
export function lineCounted({ dialect, extent }: Writing): string | undefined {
  return extent.inAdvance ? undefined : dialect.countedLine(dialect.size('item'), extent.limit);
}

/** Bytes of a row that is not worth counting: a page has a thousand rows at most. */
const smallRow = 4096;

/** Of each row of a page, which holds these objects; all are made, and none is NULL. */
export function rowCounted({ dialect, extent }: Writing, objects: readonly string[]): string {
  if (extent.inAdvance || objects.length === 0) return 'true';
  const size = objects.map((object) => dialect.size(object)).join(' + ');
  return `(${size} < ${smallRow} OR ${dialect.countedRow(size, extent.limit)})`;
}

/** The text of an object, where it is within the limit by itself, to the byte. */
export function wholeText({ dialect, extent }: Writing, object: string): string {
  const item = dialect.madeOnce(`SELECT ${object} AS item`);
  return `(SELECT ${dialect.text('item')} FROM ${item} AS whole WHERE ${dialect.countedRow(dialect.size('item'), extent.limit)})`;
}

/** The object, made only where the texts of its own columns, each so often, are within the limit. */
export function countedInAdvance(
  { dialect, extent }: Writing,
  object: string,
  keys: readonly string[],
  texts: ReadonlyMap<string, number>,
): string {
  const frame = keys.reduce((bytes, key) => bytes + Buffer.byteLength(key) + '"":,'.length, 0);
  const sizes = [...texts].map(([column, times]) => `${times} * ${dialect.sizeOfText(column)}`);
  return `CASE WHEN ${dialect.countedLine([frame, ...sizes].join(' + '), extent.limit)} THEN ${object} END`;
}
