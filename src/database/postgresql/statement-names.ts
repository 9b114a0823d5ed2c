import { WeighedCache } from '../../weighed-cache.js';

/** The most named statements; each connection keeps them all prepared. */
const MOST_NAMES = 500;

/** Characters of all named statements together: the server keeps their plans in memory. */
const MOST_CHARACTERS = 2_000_000;

/** Longer statements rarely repeat. That of a delete with all fields of its lines for the journal has some 10,000. */
const LONGEST = 32_000;

/**
 * Names frequent statements, so that PostgreSQL parses and plans them once per connection; returns '' for all others. A
 * statement gets a name at its third use, so that statements used once do not take the names.
 */
export function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  let characters = 0;
  const seen = new WeighedCache<number>(MOST_NAMES, () => 1);
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= MOST_NAMES || sql.length > Math.min(LONGEST, MOST_CHARACTERS - characters)) return '';
    const times = (seen.get(sql) ?? 0) + 1;
    seen.set(sql, times);
    if (times < 3) return '';
    const fresh = `gateway_${names.size}`;
    names.set(sql, fresh);
    characters += sql.length;
    return fresh;
  };
}
