/**
 * LIKE as PostgreSQL has it, for SQLite: upper and lower case differ, and a backslash takes a wildcard's meaning away.
 * SQLite's own folds ASCII letters and knows no escape unless told in the statement, which Prisma does not do.
 */
export function like(pattern: unknown, text: unknown): 0 | 1 | null {
  if (pattern === null || text === null) return null;
  return matcherOf(String(pattern))(String(text)) ? 1 : 0;
}

type Matcher = (text: string) => boolean;

/** A statement compares every row with one pattern, so the last one is kept. */
let last: { pattern: string; matches: Matcher } | undefined;

function matcherOf(pattern: string): Matcher {
  if (last?.pattern !== pattern) last = { pattern, matches: compile(pattern) };
  return last.matches;
}

/** `%text%`, the one form Prisma's `contains` has, is a plain search; any other pattern becomes an expression. */
function compile(pattern: string): Matcher {
  const literal = /^%((?:[^\\%_]|\\[\s\S])*)%$/.exec(pattern)?.[1];
  if (literal !== undefined) {
    const needle = literal.replace(/\\([\s\S])/g, '$1');
    return (text) => text.includes(needle);
  }
  const source = pattern.replace(/\\([\s\S])|([%_])|([\s\S])/gu, (_, escaped, wildcard, plain) =>
    wildcard === '%' ? '.*' : wildcard === '_' ? '.' : (escaped ?? plain).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  );
  const expression = new RegExp(`^${source}$`, 'su');
  return (text) => expression.test(text);
}
