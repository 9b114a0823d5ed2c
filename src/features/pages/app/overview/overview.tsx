import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { TypeAbout } from '../../about.js';
import { areasOf, areaTitle, ask, useAbout } from '../api/graphql.js';
import type { Problem } from '../api/problems.js';
import { origin, pathOf } from '../router.js';
import { useSession } from '../session/session.js';
import { SignIn } from '../session/sign-in.js';
import { Button } from '../ui/button.js';
import { Code, Link } from '../ui/controls.js';
import { type Count, StateBar, StateLegend } from '../ui/state-bar.js';

const databases = { sqlite: 'SQLite', postgresql: 'PostgreSQL' };

export function Overview() {
  const about = useAbout();
  const session = useSession();
  const areas = areasOf(about);
  const { counts, isLoading, problem, retry } = useCounts(areas, session.status === 'in');
  const total = [...counts.values()].reduce((sum, count) => sum + count.total, 0);
  return (
    <>
      <section className="beside">
        <div>
          <h1>Business Records Gateway</h1>
          <p className="lead">
            {about.types.length} record types of {areas.length} areas, over GraphQL and REST: the same records, the same
            rules and the same keys on both.
          </p>
          <p>
            Version {about.version} · {databases[about.database]}
            {counts.size > 0 && !isLoading && ` · ${total.toLocaleString()} records`}
          </p>
          {counts.size > 0 && (
            <p className="soft">
              The bars are states: <StateLegend />
            </p>
          )}
          <p className="action-bar">
            {about.graphiql && (
              <a className="button main" href={pathOf('graphql')}>
                Open GraphiQL
              </a>
            )}
            <Link className="button" to="schema">
              See the map
            </Link>
            <Link className="button" to="records">
              Look at records
            </Link>
          </p>
        </div>
        {session.status === 'out' && (
          <div className="card">
            <SignIn reason="To see and change records. What is below needs no sign-in." />
          </div>
        )}
      </section>
      {problem && (
        <div className="notice" role="status">
          <p>Some counts are missing: {problem}</p>
          <Button icon="refresh" onClick={retry}>
            Try again
          </Button>
        </div>
      )}
      <Areas
        item={({ model, slug, title, kind, hasStates }) => {
          const count = counts.get(model);
          const isLine = kind === 'child';
          return (
            <li key={model} className={isLine ? 'line-type' : undefined}>
              <Link to={count && !isLine ? `records/${slug}` : `schema/${model}`}>{title}</Link>
              {hasStates && count && <StateBar count={count} />}
              <span className="count">
                {count ? (kind === 'singleton' ? 'one' : count.total.toLocaleString()) : isLoading ? '…' : ''}
              </span>
            </li>
          );
        }}
      />
      <WaysIn graphiql={about.graphiql} />
    </>
  );
}

function WaysIn({ graphiql }: { graphiql: boolean }) {
  return (
    <section className="card">
      <h2>From a terminal</h2>
      <p className="soft">
        Every request carries a key, in the header <code>Authorization: Bearer …</code>. With it in{' '}
        <code>$API_KEY</code>, the same list by REST and by GraphQL
        {graphiql ? '' : ' (here only trusted documents are executed)'}:
      </p>
      <div className="two">
        <Code>{`curl -H "Authorization: Bearer $API_KEY" \\
  '${origin}/api/assets/asset-repair?limit=5'`}</Code>
        <Code>{`curl -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "{ assetRepairs(first: 5) { nodes { id asset } } }"}' \\
  ${origin}/graphql`}</Code>
      </div>
    </section>
  );
}

/** The record types by area, each with what `item` says of it; those of which it says nothing are left out. */
export function Areas({ item }: { item(type: TypeAbout): ReactNode }) {
  return (
    <section aria-label="Record types" className="areas">
      {areasOf(useAbout()).map(({ name, types }) => {
        const items = types.map(item).filter(Boolean);
        return (
          items.length > 0 && (
            <article key={name} className="card area">
              <h2>{areaTitle(name)}</h2>
              <ul>{items}</ul>
            </article>
          )
        );
      })}
    </section>
  );
}

type Data = Record<string, { count?: number; groups?: { status: { key: string }; count: number }[] } | null>;

/**
 * Counts the records of each area with one operation, so that what may be read is shown as soon as it is there. There are
 * no counts of what the key may not read; `problem` says why others are missing, in the gateway's own words.
 */
function useCounts(areas: ReturnType<typeof areasOf>, enabled: boolean) {
  const answers = useQueries({
    queries: areas.map(({ name, types }) => ({
      queryKey: ['counts', name],
      enabled,
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        ask<Data>({ query: `{ ${types.map(countOf).join(' ')} }` }, signal),
    })),
  });
  const counts = new Map<string, Count>();
  const problems: Pick<Problem, 'message' | 'extensions'>[] = [];
  for (const { data: answer, error } of answers) {
    if (error) problems.push(error);
    problems.push(...(answer?.errors ?? []));
    for (const [model, found] of Object.entries(answer?.data ?? {})) {
      if (!found) continue;
      const { count: total = 1, groups = [] } = found;
      const states = Object.fromEntries(groups.map(({ status, count }) => [status.key.toLowerCase(), count]));
      counts.set(model, { total, states });
    }
  }
  return {
    counts,
    isLoading: answers.some(({ isLoading }) => isLoading),
    // What the key may not read is not missing.
    problem: problems.find(({ extensions }) => extensions?.code !== 'FORBIDDEN')?.message,
    retry: () => {
      for (const { data: answer, error, refetch } of answers) if (error || answer?.errors) void refetch();
    },
  };
}

function countOf({ model, one, aggregate, hasStates }: TypeAbout): string {
  // There is one of it, always.
  if (!aggregate) return `${model}: ${one} { id }`;
  const states = hasStates ? 'groups { status { key } count }' : '';
  return `${model}: ${aggregate}${hasStates ? '(groupBy: [{ field: STATUS }])' : ''} { count ${states} }`;
}
