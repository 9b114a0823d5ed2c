/** An SQL statement of a compiled read: its text is written once, its values are bound for each request. */

import type { Bytes } from '../../common/bytes.js';
import { oncePer } from '../../common/kept.js';
import type { MaybePromise } from '../../common/maybe-promise.js';
import type { Rows } from '../../common/work.js';
import type { ReadBound } from '../../database/direct-access.js';
import type { Turns } from '../../database/turns.js';
import type { Prisma } from '../../generated/sqlite/client.js';
import type { Resource } from '../../model/resource.js';
import {
  type FromVariables,
  NotCompilable,
  type SelectedOperation,
  type SelectionTree,
  type Variables,
} from '../../model/selection.js';
import type { Listed } from '../list.js';
import type { Dialect } from './dialect.js';

export type { Rows };

/** Runs a statement. Returns rows synchronously for a bounded read on SQLite, otherwise as a promise. */
export type RunQuery = (sql: string, values: readonly (string | number)[], reach: ReadBound) => Rows | Promise<Rows>;

/** Computes a value to bind; undefined for arguments that the resolvers must handle. */
export type BoundValue = (variables: Variables) => string | number | undefined;

/** What all statements of an operation share. */
export interface CompileContext {
  dialect: Dialect;
  /** The largest answer, in bytes. */
  answerLimit: number;
  /** The record types read so far; a caller must be allowed to read all of them. */
  resources: Set<Resource>;
  /** The filtered and ordered lists of a request: a caller must be allowed to read what they follow links to, and to see what they compare. */
  filtered: { resource: Resource; list: FromVariables<Listed> }[];
}

/** A statement while it is being written. */
export interface SqlBuilder extends CompileContext {
  /** Binds a value and returns its placeholder. */
  bind(value: BoundValue): string;
  /**
   * Inserts SQL that is written for each request, such as a filter, with its values; `asked` is undefined for arguments that the
   * resolvers must handle. Requests whose SQL has the same text share a prepared statement.
   */
  dynamic<Asked>(asked: FromVariables<Asked>, write: (asked: Asked) => Prisma.Sql): string;
  /** A new alias for a table. */
  table(): string;
  /** Decides how the answer is counted. */
  answerSize: AnswerSize;
  /** Makes the statement unbounded for every request, because it may read more than its bound. */
  makeUnbounded(): void;
}

/** Compiles the tree of each operation of a kind once; the result is garbage-collected together with it. */
export function compiledOnce<Compiled>(
  kind: SelectedOperation['kind'],
  compile: (tree: SelectionTree) => Compiled | undefined,
): (operation: SelectedOperation) => Compiled | undefined {
  const compiled = oncePer((tree: SelectionTree) => ifCompilable(() => compile(tree)));
  return ({ kind: given, tree }) => (given === kind && tree ? compiled(tree) : undefined);
}

/** Undefined for what only the resolvers can answer. */
export function ifCompilable<Compiled>(compile: () => Compiled): Compiled | undefined {
  try {
    return compile();
  } catch (error) {
    if (error instanceof NotCompilable) return undefined;
    throw error;
  }
}

/**
 * Answers a root field with the JSON text of its value. Undefined for arguments that the resolvers must handle. This is
 * known before anything is read, so no read is wasted. @throws what the database throws
 */
export type CompiledRootField = (variables: Variables) => ((read: RunQuery) => MaybePromise<Bytes>) | undefined;

/** The bound of a statement for a request's variables. */
export type ReadBoundOf = (variables: Variables) => ReadBound;

/** The most tables of a statement: to prepare one with thousands, of fragments that fan out, keeps the event loop for seconds. */
const mostTables = 300;

/**
 * Makes a statement for a request's variables, ready to run; undefined if its values cannot be bound. @throws NotCompilable for one
 * of too many tables
 */
export function statement(
  compiling: CompileContext,
  write: (writing: SqlBuilder) => string,
  reachOf: ReadBoundOf,
): (variables: Variables) => ((read: RunQuery) => MaybePromise<Rows>) | undefined {
  const { dialect } = compiling;
  let isUnbounded = false;
  const { sql, bounds, dynamicParts } = writeSized(compiling.answerLimit, (answerSize) => {
    const bounds: BoundValue[] = [];
    const dynamicParts: FromVariables<Prisma.Sql>[] = [];
    let tables = 0;
    const sql = write({
      ...compiling,
      answerSize,
      bind: (value) => dialect.bound(bounds.push(value)),
      dynamic(asked, write) {
        const part = (variables: Variables) => {
          const given = asked(variables);
          return given === undefined ? undefined : write(given);
        };
        return `${mark}${dynamicParts.push(part) - 1}${mark}`;
      },
      table() {
        if (tables === mostTables) throw new NotCompilable();
        return `t${tables++}`;
      },
      makeUnbounded: () => {
        isUnbounded = true;
      },
    });
    return { sql, bounds, dynamicParts };
  });
  const complete = completed(dialect, sql, dynamicParts);
  return (variables) => {
    const values: (string | number)[] = [];
    for (const bound of bounds) {
      const value = bound(variables);
      if (value === undefined) return undefined;
      values.push(value);
    }
    const text = complete(variables, values);
    if (text === undefined) return undefined;
    const reach = isUnbounded ? 'unbounded' : reachOf(variables);
    return (read) => read(text, values, reach);
  };
}

/** A character that occurs in no name and no SQL text. */
const mark = '\u0000';

/** Replaces the marks with the SQL of the request; its values follow the others. */
function completed(
  dialect: Dialect,
  sql: string,
  dynamicParts: readonly FromVariables<Prisma.Sql>[],
): (variables: Variables, values: (string | number)[]) => string | undefined {
  if (dynamicParts.length === 0) return () => sql;
  // Alternately SQL text and the index of a dynamic part.
  const parts = sql.split(mark);
  // If the text equals the last one, that string is returned, whose hash is known already to caches of statements.
  let last = '';
  return (variables, values) => {
    let text = '';
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) {
        text += part;
        continue;
      }
      const inserted = dynamicParts[Number(part)]?.(variables);
      if (!inserted) return undefined;
      text += inserted.strings.reduce((before, behind, place) => {
        const value = dialect.stored(inserted.values[place - 1]);
        return before + dialect.bound(values.push(value)) + behind;
      });
    }
    if (text !== last) last = text;
    return last;
  };
}

/**
 * How many reads are made at the same time on PostgreSQL. Not all at once, because the first ones may already exceed the
 * limit of the answer.
 */
const atOnce = 4;

/** Runs the reads in order and collects their results. Between two of them the event loop serves other requests. */
export function runInOrder<Value>(
  questions: readonly (() => MaybePromise<Value>)[],
  turns?: Turns,
  there: readonly Value[] = [],
): MaybePromise<readonly Value[]> {
  const values = [...there];
  while (values.length < questions.length) {
    const due = turns?.due();
    if (due) return due.then(() => runInOrder(questions, turns, values));
    const [first, ...others] = questions.slice(values.length, values.length + atOnce);
    if (!first) break;
    const value = first();
    if (value instanceof Promise) {
      return Promise.all([value, ...others.map((ask) => ask())]).then((more) =>
        runInOrder(questions, turns, [...values, ...more]),
      );
    }
    values.push(value);
  }
  return values;
}

/**
 * Decides how a statement counts its answer. Normally it counts lines and rows after building them. If a selection
 * repeats itself, objects are counted before they are built, which takes longer: a text of 1 MB that is selected a
 * thousand times would exceed the memory before it could be counted.
 */
export class AnswerSize {
  #repeats = 0;
  #lists = 0;
  #isDeep = false;
  /** Whether the objects written so far contain lists of lines. */
  hasLines = false;

  constructor(
    /** The largest answer, in bytes. */
    readonly limit: number,
    /** Whether objects are counted before they are built. */
    readonly inAdvance: boolean,
  ) {}

  /** Reports that an object selects the same text or parent again. */
  repeat(): void {
    this.#repeats++;
  }

  /** Writes the inside of a list of lines. */
  withinList<Result>(write: () => Result): Result {
    this.hasLines = true;
    if (++this.#lists > 1) this.#isDeep = true;
    const result = write();
    this.#lists--;
    return result;
  }

  get isLarge(): boolean {
    return this.#isDeep || this.#repeats > mostRepeats;
  }
}

const mostRepeats = 8;

/** Writes SQL, and writes it again with counting in advance if the first pass shows that it is needed. */
export function writeSized<Result>(limit: number, write: (answerSize: AnswerSize) => Result): Result {
  const answerSize = new AnswerSize(limit, false);
  const result = write(answerSize);
  return answerSize.isLarge ? write(new AnswerSize(limit, true)) : result;
}
