import { useQueries } from '@tanstack/react-query';
import type { About, TypeAbout } from '../../about.js';
import { areasOf } from '../api/about.js';
import { ask, type Problem } from '../api/graphql.js';

/** How many records there are of a type, and how many of them in each state. */
export interface Count {
  total: number;
  states: Record<string, number>;
}

export interface Counts {
  /** By the name of the model; without those that the key may not read. */
  counts: Map<string, Count>;
  isLoading: boolean;
  /** Why some are missing, in the gateway's own words. */
  problem?: string;
  /** Asks again for those that are missing. */
  retry(): void;
}

type Data = Record<string, { count?: number; groups?: { status: { key: string }; count: number }[] } | null>;

/** Counts the records of each area with one operation, so that what may be read is shown as soon as it is there. */
export function useCounts(key: string | undefined, about: About): Counts {
  const areas = areasOf(about);
  const answers = useQueries({
    queries: areas.map(({ name, types }) => ({
      queryKey: ['counts', name],
      enabled: key !== undefined,
      queryFn: ({ signal }: { signal: AbortSignal }) => ask<Data>(key ?? '', operationFor(types), {}, signal),
    })),
  });
  const counts = new Map<string, Count>();
  const problems: Problem[] = [];
  for (const { data: answer, error } of answers) {
    if (error) problems.push({ message: error.message });
    problems.push(...(answer?.errors ?? []));
    for (const [model, found] of Object.entries(answer?.data ?? {})) {
      const states = Object.fromEntries(
        (found?.groups ?? []).map(({ status, count }) => [status.key.toLowerCase(), count]),
      );
      if (found) counts.set(model, { total: found.count ?? 1, states });
    }
  }
  const missing = answers.filter(({ data: answer, error }) => error || answer?.errors);
  return {
    counts,
    isLoading: answers.some(({ isLoading }) => isLoading),
    problem: problems[0]?.message,
    retry: () => {
      for (const { refetch } of missing) void refetch();
    },
  };
}

const operationFor = (types: TypeAbout[]): string => `{ ${types.map(countOf).join(' ')} }`;

function countOf({ model, one, aggregate, hasStates }: TypeAbout): string {
  // There is one of it, always.
  if (!aggregate) return `${model}: ${one} { id }`;
  const states = hasStates ? 'groups { status { key } count }' : '';
  return `${model}: ${aggregate}${hasStates ? '(groupBy: [{ field: STATUS }])' : ''} { count ${states} }`;
}
