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

/** The records that were starred, and those that were looked at last. */
export function RecentRecords() {
  const about = useAbout();
  const lists = { Starred: useKept('starred').kept, Recent: useKept('seen').kept };
  const ids = [...new Set(Object.values(lists).flatMap((list) => list.map(({ name }) => name)))];
  const { data } = useQuery({
    queryKey: ['names', ids],
    enabled: ids.length > 0,
    // Of what is gone, or may no longer be read, there is no name, and it is not listed.
    queryFn: async ({ signal }) => {
      type Names = { nodes: ({ id: string; displayTitle?: string } | null)[] };
      const answer = await ask<Names>({ query, variables: { ids } }, signal);
      return new Map(answer.data?.nodes.map((node) => [node?.id, node?.displayTitle]));
    },
  });
  return Object.entries(lists).map(([heading, list]) => {
    const items = list.filter(({ name }) => data?.has(name));
    if (items.length === 0) return null;
    return (
      <section key={heading} className="card kept-records" aria-label={heading}>
        <h2>{heading}</h2>
        <ul>
          {items.map(({ slug, name }) => (
            <li key={name}>
              <Star slug={slug} id={name} />
              <Link to={`records/${slug}/${name}`}>{shortened(data?.get(name) || name)}</Link>{' '}
              <span className="soft">{typeCalled(about, slug)?.title}</span>
            </li>
          ))}
        </ul>
      </section>
    );
  });
}
