/**
 * A statement that meets a state of a document that is none of the three fails with this mark in its message. The resolvers
 * then answer, which name the record.
 */
const mark = 'unknown_status';

/** SQL that fails with the mark; `column` holds the state, so that it cannot be evaluated in advance. */
export const failingOnStatus = {
  sqlite: (column: string): string => `unknown_status(${column})`,
  postgresql: (column: string): string => `(('${mark}' || left(${column}, 0))::boolean)::text`,
};

/** The SQL function of SQLite, which takes as many arguments as this has parameters. @throws always */
export function unknownStatus(_status: unknown): never {
  throw new Error(mark);
}

export function isUnknownStatus(error: unknown): boolean {
  return error instanceof Error && (error.message.includes(mark) || isUnknownStatus(error.cause));
}
