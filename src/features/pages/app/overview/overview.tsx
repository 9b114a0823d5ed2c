import type { TypeAbout } from '../../about.js';
import { areasOf, areaTitle, useAbout } from '../api/about.js';
import { gateway, pathOf } from '../router.js';
import { useSession } from '../session/session.js';
import { SignIn } from '../session/sign-in.js';
import { Code, Link } from '../ui/controls.js';
import { StateBar, StateLegend } from '../ui/state-bar.js';
import { type Count, useCounts } from './counts.js';

const databases = { sqlite: 'SQLite', postgresql: 'PostgreSQL' };

/** What runs here, and what there is to see. */
export function Overview() {
  const about = useAbout();
  const session = useSession();
  const { counts, isLoading, problem, retry } = useCounts(session.status === 'in' ? session.key : undefined, about);
  const total = [...counts.values()].reduce((sum, count) => sum + count.total, 0);
  return (
    <>
      <section className="hero">
        <div>
          <h1>Business Records Gateway</h1>
          <p className="lead">
            {about.types.length} record types of {areasOf(about).length} areas, over GraphQL and REST: the same records,
            the same rules and the same keys on both.
          </p>
          <ul className="facts">
            <li>Version {about.version}</li>
            <li>{databases[about.database]}</li>
            {counts.size > 0 && !isLoading && <li>{total.toLocaleString('en')} records</li>}
          </ul>
          {counts.size > 0 && (
            <p className="soft">
              The bars are states: <StateLegend />
            </p>
          )}
          <p className="hero-links">
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
            <SignIn reason="To see and change records. What is below needs none." />
          </div>
        )}
      </section>
      {problem && (
        <div className="notice" role="status">
          <p>Some counts are missing: {problem}</p>
          <button type="button" onClick={retry}>
            Try again
          </button>
        </div>
      )}
      <section aria-label="Record types" className="areas">
        {areasOf(about).map(({ name, types }) => (
          <AreaCard key={name} title={areaTitle(name)} types={types} counts={counts} isLoading={isLoading} />
        ))}
      </section>
      <WaysIn graphiql={about.graphiql} />
    </>
  );
}

/** The first requests, to paste into a terminal. */
function WaysIn({ graphiql }: { graphiql: boolean }) {
  const base = gateway.href.replace(/\/$/, '');
  return (
    <section className="card ways-in">
      <h2>From a terminal</h2>
      <p className="soft">
        Every request carries a key, in the header <code>Authorization: Bearer …</code>. With it in{' '}
        <code>$API_KEY</code>, the same list by REST and by GraphQL
        {graphiql ? '' : ' (here only trusted documents are executed)'}:
      </p>
      <div className="two">
        <Code>{`curl -H "Authorization: Bearer $API_KEY" \\
  '${base}/api/assets/asset-repair?limit=5'`}</Code>
        <Code>{`curl -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "{ assetRepairs(first: 5) { nodes { id asset } } }"}' \\
  ${base}/graphql`}</Code>
      </div>
    </section>
  );
}

interface Props {
  title: string;
  types: TypeAbout[];
  counts: ReadonlyMap<string, Count>;
  isLoading: boolean;
}

/** The record types of an area, with how many records there are in which states. */
function AreaCard({ title, types, counts, isLoading }: Props) {
  return (
    <article className="card area">
      <h2>{title}</h2>
      <ul>
        {types.map((type) => {
          const count = counts.get(type.model);
          return (
            <li key={type.model} className={type.kind === 'child' ? 'line-type' : undefined}>
              <Link to={count && type.kind !== 'child' ? `records/${type.slug}` : `schema/${type.model}`}>
                {type.title}
              </Link>
              {type.hasStates && count && <StateBar count={count} />}
              <span className="count">{countText(type, count, isLoading)}</span>
            </li>
          );
        })}
      </ul>
    </article>
  );
}

function countText(type: TypeAbout, count: Count | undefined, isLoading: boolean): string {
  if (isLoading && !count) return '…';
  if (!count) return '';
  return type.kind === 'singleton' ? 'one' : count.total.toLocaleString('en');
}
