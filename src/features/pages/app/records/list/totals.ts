import { useQuery } from '@tanstack/react-query';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { askAll } from '../../api/graphql.js';
import { totalsOperation } from '../operations.js';
import { isSummed } from './rows.js';

interface Measures {
  sum?: number | null;
  key?: string | null;
}

/** What a column adds up to, once for each currency. */
export interface Total {
  sum: number;
  currency: string | undefined;
}

/** The totals of the columns of numbers, over all that the filter finds. */
export function useTotals(
  type: TypeAbout,
  where: object | undefined,
  columns: readonly FieldAbout[],
  isWanted: boolean,
): ReadonlyMap<string, Total[]> | undefined {
  const summed = columns.filter(isSummed);
  const operation = totalsOperation(type, where, summed);
  const { data } = useQuery({
    queryKey: ['list', type.model, operation],
    enabled: isWanted && type.aggregate !== '' && summed.length > 0,
    queryFn: async ({ signal }) => {
      const { all, byCurrency } = await askAll<{
        all?: Record<string, Measures>;
        byCurrency?: { groups: Record<string, Measures>[] };
      }>(operation, signal);
      return new Map(
        summed.map(({ name }) => [
          name,
          [...(all ? [all] : []), ...(byCurrency?.groups ?? [])].flatMap((group) => {
            const sum = group[name]?.sum;
            return typeof sum === 'number' ? [{ sum, currency: group.currency?.key || undefined }] : [];
          }),
        ]),
      );
    },
  });
  return isWanted ? data : undefined;
}
