import { focusMain, mayLeave, pathOf } from '../router.js';
import { signOut, useSession } from '../session/session.js';
import { Who } from '../session/who.js';
import { Empty, Link } from './controls.js';

/** A tool is a page that loads much, under a policy of its own, so it is opened as a document, and so is what is left from it. */
const pages = [
  { path: '', title: 'Overview' },
  { path: 'schema', title: 'Map' },
  { path: 'records', title: 'Records' },
  { path: 'graphql', title: 'GraphiQL', isTool: true },
  { path: 'docs', title: 'REST', isTool: true },
];

export function Header({ current }: { current: string }) {
  const { status } = useSession();
  const leave = () => {
    if (!mayLeave()) return;
    signOut();
    focusMain();
  };
  const isOnTool = pages.some(({ path, isTool }) => isTool && path === current);
  return (
    <header className="bar">
      <Link className="brand" to="">
        <span className="brand-mark" aria-hidden="true" />
        Business Records
      </Link>
      <nav aria-label="Pages">
        {pages.map(({ path, title, isTool }) => {
          const mark = path === current ? 'page' : undefined;
          return isTool || isOnTool ? (
            <a key={path} href={pathOf(path)} aria-current={mark}>
              {title}
            </a>
          ) : (
            <Link key={path} to={path} aria-current={mark}>
              {title}
            </Link>
          );
        })}
      </nav>
      {status === 'in' && (
        <div className="signed-in">
          <Who />
          <button type="button" className="quiet" onClick={leave}>
            Sign out
          </button>
        </div>
      )}
    </header>
  );
}

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
