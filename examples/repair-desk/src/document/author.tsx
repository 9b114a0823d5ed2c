import { useQuery } from 'urql';
import { readAuthors } from '../api/operations.js';
import type { AuthorsQuery } from '../generated/graphql.js';

type Version = NonNullable<AuthorsQuery['history']>['nodes'][number];

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Who has made the versions of the repair that are asked for, and when the last: ` by Ann, 14:05`. */
export function Author({ id, of }: { id: string; of: (versions: readonly Version[]) => (Version | undefined)[] }) {
  const [{ data }] = useQuery({ query: readAuthors, variables: { id }, requestPolicy: 'cache-and-network' });
  const made = of(data?.history?.nodes ?? []).filter((version) => version !== undefined);
  const names = [...new Set(made.map(({ by }) => by.keyName))];
  return made[0] ? ` by ${names.join(' and ')}, ${time.format(new Date(made[0].at))}` : '';
}

/** Those who have changed the repair since the version `after`, up to one. */
export function ChangedBy({ id, after, upTo }: { id: string; after: number; upTo: number }) {
  const isBetween = ({ version }: Version) => version > after && version <= upTo;
  return <Author key={upTo} id={id} of={(versions) => versions.filter(isBetween)} />;
}
