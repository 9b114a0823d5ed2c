import { WeighedCache } from '../weighed-cache.js';

/** Statements that get a name, at most; each connection keeps them prepared. */
const MOST_NAMES = 500;

/** Longer statements are inserts of many rows, no two of which are alike. */
const LONGEST = 8_000;

/**
 * Names the statements that come often, so that PostgreSQL parses and plans them once a connection; '' for the others.
 * A statement is named when it comes for the third time, so that shapes used once do not take the names.
 */
export function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const seen = new WeighedCache<number>(MOST_NAMES, () => 1);
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= MOST_NAMES || sql.length > LONGEST) return '';
    const times = (seen.get(sql) ?? 0) + 1;
    seen.set(sql, times);
    if (times < 3) return '';
    const fresh = `gateway_${names.size}`;
    names.set(sql, fresh);
    return fresh;
  };
}
