import { useQuery } from '@tanstack/react-query';
import { askAll } from '../api/graphql.js';
import { When } from '../records/rows.js';
import { focusMain, mayLeave, pathOf } from '../router.js';
import type { Credential } from '../session/authorization.js';
import { signOut, useSession } from '../session/session.js';
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
  const session = useSession();
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
      {session.status === 'in' && (
        <div className="signed-in">
          <Who person={session.person} />
          <button type="button" className="quiet" onClick={leave}>
            Sign out
          </button>
        </div>
      )}
    </header>
  );
}

interface Viewer {
  name: string;
  roles: string[];
  scopes: string[];
  expiresAt: string | null;
}

/** Who is signed in, as what, and until when: asked anew when it is opened, because a token may have been renewed. */
function Who({ person }: Pick<Credential, 'person'>) {
  const query = '{ viewer { name roles scopes expiresAt } }';
  const { data, refetch } = useQuery({
    queryKey: ['viewer'],
    queryFn: ({ signal }) => askAll<{ viewer: Viewer }>({ query }, signal),
  });
  if (!data) return null;
  const { name, roles, scopes, expiresAt } = data.viewer;
  const [kind, rights] = roles.length > 0 ? ['Roles', roles] : ['Scopes', scopes];
  return (
    <>
      <button type="button" className="quiet who" popoverTarget="who">
        {name} ▾
      </button>
      <div id="who" popover="auto" className="card" onToggle={() => void refetch()}>
        Signed in as {name} with {person ? person.at.label : 'an API key'}. {kind}: {rights.join(', ') || 'none'}. Until{' '}
        {expiresAt ? <When at={expiresAt} /> : 'it is revoked'}
        {person?.refreshToken && ', and renewed before'}.{' '}
        {person && 'When you sign out here, you stay signed in there.'}
      </div>
    </>
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
