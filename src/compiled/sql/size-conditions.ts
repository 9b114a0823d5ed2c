/** Conditions with which a statement counts the bytes of its answer. */
import type { Dialect } from './dialect.js';
import type { SqlBuilder } from './statement.js';

/**
 * Counts each line, called `item`, with `frame` bytes more; undefined if lines are counted before they are built.
 */
export function lineCounted({ dialect, extent }: SqlBuilder, frame: number): string | undefined {
  return extent.inAdvance ? undefined : dialect.countedLine(sizeWith(dialect, 'item', frame), extent.limit);
}

const sizeWith = (dialect: Dialect, item: string, frame: number): string =>
  frame === 0 ? dialect.size(item) : `${dialect.size(item)} + ${frame}`;

/** Bytes below which a row is not counted: a page has at most a thousand rows. */
const smallRow = 4096;

/**
 * Counts each row of a page that holds these objects, with `frame` bytes more. The condition uses every object, and none
 * of them is NULL.
 */
export function rowCounted({ dialect, extent }: SqlBuilder, objects: readonly string[], frame: number): string {
  if (extent.inAdvance || objects.length === 0) return 'true';
  const size = [...objects.map((object) => dialect.size(object)), ...(frame === 0 ? [] : [frame])].join(' + ');
  return `(${size} < ${smallRow} OR ${dialect.countedRow(size, extent.limit)})`;
}

/** The text of an object, if with `frame` bytes more it does not exceed the limit by itself. */
export function wholeText({ dialect, extent }: SqlBuilder, object: string, frame: number): string {
  const item = dialect.madeOnce(`SELECT ${object} AS item`);
  return `(SELECT ${dialect.text('item')} FROM ${item} AS whole WHERE ${dialect.countedRow(sizeWith(dialect, 'item', frame), extent.limit)})`;
}

/** The object, built only if the texts of its own columns, multiplied by their number of uses, are within the limit. */
export function countedInAdvance(
  { dialect, extent }: SqlBuilder,
  object: string,
  keys: readonly string[],
  texts: ReadonlyMap<string, number>,
): string {
  const frame = keys.reduce((bytes, key) => bytes + Buffer.byteLength(key) + '"":,'.length, 0);
  const sizes = [...texts].map(([column, times]) => `${times} * ${dialect.sizeOfText(column)}`);
  return `CASE WHEN ${dialect.countedLine([frame, ...sizes].join(' + '), extent.limit)} THEN ${object} END`;
}
