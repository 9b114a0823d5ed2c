/** One SQL statement of a compiled read: its text, written once, and the values it binds at each request. */
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

/** A statement's rows: texts, null, and integers as either number type. */
export type Rows = readonly (readonly unknown[])[];

/** Runs a statement. SQLite answers at once what is bounded, and all else later, as PostgreSQL answers everything. */
export type Read = (sql: string, values: readonly (string | number)[], reach: Reach) => Rows | Promise<Rows>;

/** A value to bind; undefined where the request's arguments are not what is compiled. */
export type Bound = (variables: Variables) => string | number | undefined;

/** SQL that a request decides, as a filter does, with the values it binds; undefined as of `Bound`. */
export type Piece = (variables: Variables) => Prisma.Sql | undefined;

/** What all statements of an operation have in common. */
export interface Compiling extends Surroundings {
  schema: GraphQLSchema;
  dialect: Dialect;
  /** Bytes the answer may hold. */
  answerLimit: number;
  /** All of the request's variables, coerced by GraphQL; undefined where one is wrong. */
  coerced(variables: Variables): Variables | undefined;
  /** The types read so far: a caller must be allowed to read all of them. */
  resources: Set<Resource>;
  /** Further scopes a caller must hold, which the fields compiled so far ask for. */
  scopes: Set<Scope>;
}

/** A statement being written. */
export interface Writing extends Compiling {
  /** The place of a value in the statement. */
  bind(value: Bound): string;
  /** The place of SQL that is written anew for each request. What it is written like, statements are prepared by. */
  piece(piece: Piece): string;
  /** A name for a table that no other has. */
  table(): string;
  /** Says how what is made is counted. */
  extent: Extent;
  /** Says that the statement may read more than what bounds it elsewhere: it is unbounded for every request. */
  widen(): void;
}

/** The statement for a request's arguments, ready to be run; undefined where they cannot be bound. */
export type Statement = (variables: Variables) => ((read: Read) => MaybePromise<Rows>) | undefined;

/**
 * What answers a field for a request's arguments, with the JSON text of its value. Undefined where the resolvers must
 * answer, which refuse the arguments or answer them in a way that is not compiled: this is known before anything is read,
 * so no read is made that is then thrown away. @throws what the database throws
 */
export type RootField = (variables: Variables) => ((read: Read) => MaybePromise<Bytes>) | undefined;

/** How far a statement reaches for a request's variables. */
export type ReachOf = (variables: Variables) => Reach;

/** `reachOf` says what bounds the statement; without it, nothing does. */
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

/** In no name and no text of a statement. */
const mark = '\u0000';

/** The statement with its pieces in place, and their values behind the others. */
function completed(
  dialect: Dialect,
  sql: string,
  pieces: readonly Piece[],
): (variables: Variables, values: (string | number)[]) => string | undefined {
  if (pieces.length === 0) return () => sql;
  // What is written, and in between the numbers of the pieces.
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
