import { pathOf } from '../addresses.js';
import { signOut } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { mayLeave } from '../unsaved.js';
import { focusMain } from './focus-main.js';
import { Link } from './link.js';

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
