import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type TypeAbout, typeCalled } from '../../../about.js';
import { ask, useAbout } from '../../api/graphql.js';
import { Button } from '../../ui/button.js';
import { Link } from '../../ui/controls.js';
import { useKept } from './kept.js';
import { shortened } from './rows.js';

/** Marks a record, to be found again among the records. */
export function Star({ slug, id }: { slug: string; id: string }) {
  const { kept, keep, forget } = useKept('starred');
  const isStarred = kept.some((one) => one.name === id && one.slug === slug);
  return (
    <Button
      kind="quiet"
      icon={isStarred ? 'starred' : 'star'}
      aria-label={isStarred ? 'Take its star away' : 'Star it'}
      onClick={() => (isStarred ? forget : keep)({ slug, name: id })}
    />
  );
}

/** Keeps which record was looked at. */
export function useSeen(type: TypeAbout | undefined, id: string | undefined): void {
  const { keep } = useKept('seen');
  const slug = type?.slug;
  useEffect(() => {
    if (slug && id) keep({ slug, name: id });
  }, [keep, slug, id]);
}

const query = 'query Names($ids: [ID!]!) { nodes(ids: $ids) { id ... on BusinessRecord { displayTitle } } }';

/** The names of records by their ids; not of those that are gone, or may not be read. */
export async function namesOf(ids: readonly string[], signal?: AbortSignal) {
  type Found = { nodes: ({ id: string; displayTitle?: string } | null)[] };
  const { data } = await ask<Found>({ query, variables: { ids } }, signal);
  return new Map(data?.nodes.map((node) => [node?.id, node?.displayTitle]));
}

/** The records that were starred, and those that were looked at last, with their names. */
export function useRecent() {
  const about = useAbout();
  const lists = { Starred: useKept('starred').kept, Recent: useKept('seen').kept };
  const ids = [...new Set(Object.values(lists).flatMap((list) => list.map(({ name }) => name)))];
  const { data } = useQuery({
    queryKey: ['names', ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) => namesOf(ids, signal),
  });
  return Object.entries(lists).map(([heading, list]) => ({
    heading,
    items: list
      .filter(({ name }) => data?.has(name))
      .map((item) => ({
        ...item,
        to: `records/${item.slug}/${item.name}`,
        words: shortened(data?.get(item.name) || item.name),
        hint: typeCalled(about, item.slug)?.title,
      })),
  }));
}

/** The lists of them above the types. */
export const RecentRecords = () =>
  useRecent().map(
    ({ heading, items }) =>
      items.length > 0 && (
        <section key={heading} className="card kept-records" aria-label={heading}>
          <h2>{heading}</h2>
          <ul>
            {items.map(({ slug, name, to, words, hint }) => (
              <li key={name}>
                <Star slug={slug} id={name} />
                <Link to={to}>{words}</Link> <span className="soft">{hint}</span>
              </li>
            ))}
          </ul>
        </section>
      ),
  );
