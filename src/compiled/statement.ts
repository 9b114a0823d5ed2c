/** One SQL statement of a compiled read: its text, written once, and the values it binds at each request. */
import type { GraphQLSchema } from 'graphql';
import type { Resource } from '../model/resource.js';
import type { Variables } from './arguments.js';
import type { Dialect } from './dialect.js';
import type { Fragments } from './selection.js';

/** A statement's rows: texts, null, and integers as either number type. */
export type Rows = readonly (readonly unknown[])[];

/** Runs a statement. SQLite answers at once, PostgreSQL later. */
export type Read = (sql: string, values: readonly (string | number)[]) => Rows | Promise<Rows>;

/** A value to bind; undefined where the request's arguments are not what is compiled. */
export type Bound = (variables: Variables) => string | number | undefined;

/** What all statements of an operation have in common. */
export interface Compiling {
  schema: GraphQLSchema;
  fragments: Fragments;
  dialect: Dialect;
  /** The types read so far: a caller must be allowed to read all of them. */
  resources: Set<Resource>;
}

/** A statement being written. */
export interface Writing extends Compiling {
  /** The place of a value in the statement. */
  bind(value: Bound): string;
  /** A name for a table that no other has. */
  table(): string;
}

/** The rows for a request's arguments; undefined where they cannot be bound. */
export type Statement = (variables: Variables, read: Read) => Rows | Promise<Rows> | undefined;

/**
 * The JSON text of a field's value; undefined where the arguments of this request need the resolvers, which refuse them
 * or answer them in a way that is not compiled.
 */
export type RootField = (variables: Variables, read: Read) => Text | Promise<Text>;
export type Text = string | undefined;

export function statement(compiling: Compiling, write: (writing: Writing) => string): Statement {
  const bounds: Bound[] = [];
  let tables = 0;
  const sql = write({
    ...compiling,
    bind: (value) => compiling.dialect.bound(bounds.push(value)),
    table: () => `t${tables++}`,
  });
  return (variables, read) => {
    const values: (string | number)[] = [];
    for (const bound of bounds) {
      const value = bound(variables);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return read(sql, values);
  };
}

export { whenThere } from '../when-there.js';
