/** An SQL statement of a compiled read: its text is written once, its values are bound for each request. */
import type { GraphQLSchema } from 'graphql';
import type { Scope } from '../access/scopes.js';
import type { Bytes } from '../bytes.js';
import type { Reach } from '../database/direct.js';
import type { Prisma } from '../generated/sqlite/client.js';
import type { Resource } from '../model/resource.js';
import type { MaybePromise } from '../when-there.js';
import type { Dialect } from './dialect.js';
import { type Extent, written } from './extent.js';
import type { Surroundings } from './selection.js';
import type { Variables } from './variables.js';

/** The rows of a statement: texts, null, and integers as number or bigint. */
export type Rows = readonly (readonly unknown[])[];

/** Runs a statement. Returns rows synchronously for a bounded read on SQLite, otherwise as a promise. */
export type Read = (sql: string, values: readonly (string | number)[], reach: Reach) => Rows | Promise<Rows>;

/** Computes a value to bind; undefined for arguments that the resolvers must handle. */
export type Bound = (variables: Variables) => string | number | undefined;

/**
 * SQL that depends on the request, such as a filter, with its values; undefined for arguments that the resolvers must
 * handle.
 */
export type Piece = (variables: Variables) => Prisma.Sql | undefined;

/** What all statements of an operation share. */
export interface Compiling extends Surroundings {
  schema: GraphQLSchema;
  dialect: Dialect;
  /** The largest answer, in bytes. */
  answerLimit: number;
  /** All variables of the request, coerced by GraphQL; undefined if one is invalid. */
  coerced(variables: Variables): Variables | undefined;
  /** The record types read so far; a caller must be allowed to read all of them. */
  resources: Set<Resource>;
  /** The scopes that the fields compiled so far need in addition. */
  scopes: Set<Scope>;
}

/** A statement while it is being written. */
export interface Writing extends Compiling {
  /** Binds a value and returns its placeholder. */
  bind(value: Bound): string;
  /** Inserts SQL that is written for each request. Requests whose SQL has the same text share a prepared statement. */
  piece(piece: Piece): string;
  /** A new alias for a table. */
  table(): string;
  /** Decides how the answer is counted. */
  extent: Extent;
  /** Makes the statement unbounded for every request, because it may read more than its bound. */
  widen(): void;
}

/** A statement for a request's variables, ready to run; undefined if its values cannot be bound. */
export type Statement = (variables: Variables) => ((read: Read) => MaybePromise<Rows>) | undefined;

/**
 * Answers a root field with the JSON text of its value. Undefined for arguments that the resolvers must handle. This is
 * known before anything is read, so no read is wasted. @throws what the database throws
 */
export type RootField = (variables: Variables) => ((read: Read) => MaybePromise<Bytes>) | undefined;

/** The bound of a statement for a request's variables. */
export type ReachOf = (variables: Variables) => Reach;

/** Without `reachOf` the statement is unbounded. */
export function statement(
  compiling: Compiling,
  write: (writing: Writing) => string,
  reachOf: ReachOf = () => 'unbounded',
): Statement {
  const { dialect } = compiling;
  let isWidened = false;
  const { sql, bounds, pieces } = written(compiling.answerLimit, (extent) => {
    const bounds: Bound[] = [];
    const pieces: Piece[] = [];
    let tables = 0;
    const sql = write({
      ...compiling,
      extent,
      bind: (value) => dialect.bound(bounds.push(value)),
      piece: (piece) => `${mark}${pieces.push(piece) - 1}${mark}`,
      table: () => `t${tables++}`,
      widen: () => {
        isWidened = true;
      },
    });
    return { sql, bounds, pieces };
  });
  const complete = completed(dialect, sql, pieces);
  return (variables) => {
    const values: (string | number)[] = [];
    for (const bound of bounds) {
      const value = bound(variables);
      if (value === undefined) return undefined;
      values.push(value);
    }
    const text = complete(variables, values);
    if (text === undefined) return undefined;
    const reach = isWidened ? 'unbounded' : reachOf(variables);
    return (read) => read(text, values, reach);
  };
}

/** A character that occurs in no name and no SQL text. */
const mark = '\u0000';

/** Replaces the marks with the SQL of the request; its values follow the others. */
function completed(
  dialect: Dialect,
  sql: string,
  pieces: readonly Piece[],
): (variables: Variables, values: (string | number)[]) => string | undefined {
  if (pieces.length === 0) return () => sql;
  // Alternately SQL text and the index of a piece.
  const parts = sql.split(mark);
  return (variables, values) => {
    let text = '';
    for (const [index, part] of parts.entries()) {
      if (index % 2 === 0) {
        text += part;
        continue;
      }
      const piece = pieces[Number(part)]?.(variables);
      if (!piece) return undefined;
      text += piece.strings.reduce((before, behind, place) => {
        const value = dialect.stored(piece.values[place - 1]);
        return before + dialect.bound(values.push(value)) + behind;
      });
    }
    return text;
  };
}
