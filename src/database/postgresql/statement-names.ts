import { WeighedCache } from '../../common/kept.js';

/** Characters of all named statements together: the server keeps their plans in memory, for each connection. */
const MOST_CHARACTERS = 2_000_000;

/** A shorter statement counts as much, so that at most 500 have names. */
const LEAST_CHARACTERS = 4_000;

/** Longer statements rarely repeat. That of a delete with all fields of its lines for the journal has some 10,000. */
const LONGEST = 32_000;

export type StatementNames = ReturnType<typeof statementNames>;

/**
 * Names frequent statements, so that PostgreSQL parses and plans them once per connection. A statement gets a name at
 * its third use, so that statements used once do not take the names of others. When all names are taken, a statement
 * that is no longer used loses its name. No name is given twice, because connections may still have it prepared.
 */
export function statementNames() {
  let given = 0;
  let forgotten = 0;
  const weight = (sql: string) => Math.max(sql.length, LEAST_CHARACTERS);
  const names = new WeighedCache<string>(MOST_CHARACTERS, weight, (sql) => {
    forgotten += weight(sql);
  });
  const seen = new WeighedCache<number>(MOST_CHARACTERS / LEAST_CHARACTERS, () => 1);
  const begun = new WeakMap<object, number>();
  return {
    /** The name of a frequent statement; '' for all others, such as one with a comment at its end, which no other has. */
    nameOf({ sql }: { sql: string }): string {
      const name = names.get(sql);
      if (name !== undefined) return name;
      // EXPLAIN is sent without the values that a prepared statement asks for.
      if (sql.length > LONGEST || sql.endsWith('*/') || sql.startsWith('EXPLAIN')) return '';
      const times = (seen.get(sql) ?? 0) + 1;
      seen.set(sql, times);
      if (times < 3) return '';
      seen.delete(sql);
      const fresh = `gateway_${given++}`;
      names.set(sql, fresh);
      return fresh;
    },
    /** Notes a new connection, which has nothing prepared yet. */
    begin: (connection: object): void => void begun.set(connection, forgotten),
    /**
     * Whether the statements that have lost their names since this connection began have more characters than all named
     * ones may have. The connection may still hold them prepared, so it is then closed, which frees them at once.
     */
    isOutworn: (connection: object): boolean => forgotten - (begun.get(connection) ?? 0) > MOST_CHARACTERS,
  };
}

/** No names at all: where a pooler lends sessions, what is prepared in one is lost, or found by other clients. */
export const noNames: StatementNames = { nameOf: () => '', begin: () => undefined, isOutworn: () => false };

/** The same number for the same text, in every process. */
export function numericHashOf(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (hash * 31 + text.charCodeAt(index)) >>> 0;
  return hash;
}
