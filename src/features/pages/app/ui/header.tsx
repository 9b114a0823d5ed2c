import { When } from '../records/list/rows.js';
import { focusMain, mayLeave, pathOf } from '../router.js';
import type { Credential } from '../session/authorization.js';
import { signOut, useSession } from '../session/session.js';
import { useViewer } from '../session/viewer.js';
import { Button } from './button.js';
import { Empty, Link } from './controls.js';
import { Icon } from './icon.js';

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
  const leave = async () => {
    if (!(await mayLeave())) return;
    signOut();
    focusMain();
  };
  const isOnTool = pages.some(({ path, isTool }) => isTool && path === current);
  return (
    <header className="bar">
      <Link className="brand" to="">
        <img src={document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href} alt="" />
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
          <Button kind="quiet" icon="signOut" onClick={leave}>
            <span className="sign-out">Sign out</span>
          </Button>
        </div>
      )}
    </header>
  );
}

function Who({ person }: Pick<Credential, 'person'>) {
  const { data, error, refetch } = useViewer();
  if (!data) return error ? <span className="soft">Signed in, but the gateway does not say as whom</span> : null;
  const { name, roles, scopes, expiresAt } = data;
  const [kind, rights] = roles.length > 0 ? ['Roles', roles] : ['Scopes', scopes];
  return (
    <>
      <button type="button" className="quiet who" popoverTarget="who">
        <Icon name={person ? 'person' : 'key'} />
        <span>{name}</span>
        <Icon name="open" />
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

/** Says that there is no page at this address, and leads to the first. */
export const NotHere = ({ parts }: { parts: string[] }) => (
  <Empty title={`There is no page at /${parts.join('/')}.`}>
    <Link to="">See what there is</Link>
  </Empty>
);
