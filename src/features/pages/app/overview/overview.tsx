import { pathOf } from '../addresses.js';
import { areasOf, areaTitle, useAbout } from '../api/about.js';
import { SignIn } from '../session/sign-in.js';
import { useSession } from '../session/use-session.js';
import { Link } from '../ui/link.js';
import { StateLegend } from '../ui/state-bar.js';
import { AreaCard } from './area-card.js';
import { useCounts } from './counts.js';
import { WaysIn } from './ways-in.js';

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
