import { focusMain, mayLeave, pathOf } from '../router.js';
import { signOut, useSession } from '../session/session.js';
import { Empty, Link } from './controls.js';

const pages = [
  { path: '', title: 'Overview' },
  { path: 'schema', title: 'Map' },
  { path: 'records', title: 'Records' },
];

/** Pages that load a large tool each, under a policy of their own, so they are opened as documents. */
const tools = [
  { path: 'graphql', title: 'GraphiQL' },
  { path: 'docs', title: 'REST' },
];

export function Header({ current }: { current: string }) {
  const { status } = useSession();
  const leave = () => {
    if (!mayLeave()) return;
    signOut();
    focusMain();
  };
  const mark = (path: string) => (path === current ? 'page' : undefined);
  return (
    <header className="bar">
      <Link className="brand" to="">
        <span className="brand-mark" aria-hidden="true" />
        Business Records
      </Link>
      <nav aria-label="Pages">
        {pages.map(({ path, title }) =>
          isTool(current) ? (
            <a key={path} href={pathOf(path)}>
              {title}
            </a>
          ) : (
            <Link key={path} to={path} aria-current={mark(path)}>
              {title}
            </Link>
          ),
        )}
        {tools.map(({ path, title }) => (
          <a key={path} href={pathOf(path)} aria-current={mark(path)}>
            {title}
          </a>
        ))}
      </nav>
      {status === 'in' && (
        <div className="signed-in">
          <span className="dot" aria-hidden="true" />
          <span className="signed-in-text">Signed in</span>
          <button type="button" className="quiet" onClick={leave}>
            Sign out
          </button>
        </div>
      )}
    </header>
  );
}

const isTool = (current: string): boolean => tools.some(({ path }) => path === current);

/** Says that there is no page at this address, and leads to the one that was meant, or to the first. */
export function NotHere({ parts, isPage }: { parts: string[]; isPage(parts: string[]): boolean }) {
  const meant = parts.filter(Boolean);
  const path = meant.map(encodeURIComponent).join('/');
  const isMeant = meant.length > 0 && isPage(meant);
  return (
    <Empty title={`There is no page at /${parts.join('/')}.`}>
      {isMeant && (
        <p>
          There is one at <a href={pathOf(path)}>/{meant.join('/')}</a>.
        </p>
      )}
      <p>
        <Link to="">See what there is</Link>
      </p>
    </Empty>
  );
}
