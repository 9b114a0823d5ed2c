import { askAll } from '../api/graphql.js';

export interface Callable {
  surface: 'REST' | 'GRAPHQL';
  name: string;
  call: string;
  isDeprecated: boolean;
  deprecatedAt: string | null;
  sunsetAt: string | null;
  replacement: string | null;
}

export interface Caller {
  keyId: string;
  key: { name: string; state: 'ACTIVE' | 'EXPIRED' | 'REVOKED' } | null;
  calls: number;
  firstAt: string;
  lastAt: string;
  userAgents: { userAgent: string; calls: number }[];
}

/** Something that is called, and by whom. */
export interface Called {
  name: string;
  /** Null if it no longer exists. */
  callable: Callable | null;
  callers: Caller[];
  /** How many other keys have called it: before the time of the filter, or beyond the most that are shown. */
  others: number;
}

export interface UsageFilter {
  onlyDeprecated: boolean;
  /** How many days back; undefined for all time. */
  days: number | undefined;
}

/** The most calls that the page shows. */
export const most = 1000;

const query = `query Usage($onlyDeprecated: Boolean!, $since: DateTime, $limit: Int!) {
  apiUses(onlyDeprecated: $onlyDeprecated, since: $since, limit: $limit) {
    name keyId calls firstAt lastAt
    key { name state }
    userAgents { userAgent calls }
    callable { ...All }
  }
  apiDeprecations { callable { ...All } keys }
}
fragment All on ApiCallable { surface name call isDeprecated deprecatedAt sunsetAt replacement }`;

interface Answer {
  apiUses: (Caller & { name: string; callable: Callable | null })[];
  apiDeprecations: { callable: Callable; keys: number }[];
}

/** What is called, what is deprecated first; deprecated things that nobody calls are there too. */
export async function readUsage(key: string, { onlyDeprecated, days }: UsageFilter, signal: AbortSignal) {
  const since = days === undefined ? null : new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  const { apiUses, apiDeprecations } = await askAll<Answer>(key, query, { onlyDeprecated, since, limit: most }, signal);
  const called = new Map<string, Called>();
  for (const { callable, keys } of apiDeprecations)
    called.set(callable.name, { name: callable.name, callable, callers: [], others: keys });
  for (const { name, callable, ...caller } of apiUses) {
    const known = called.get(name) ?? { name, callable, callers: [], others: 0 };
    known.callers.push(caller);
    known.others = Math.max(0, known.others - 1);
    called.set(name, known);
  }
  const all = [...called.values()];
  return { all, isWhole: apiUses.length < most };
}
