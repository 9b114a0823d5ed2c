import type { ReactNode } from 'react';
import { When } from '../records/list/rows.js';
import { focusMain, mayLeave } from '../router.js';
import type { Credential } from '../session/authorization.js';
import { signOut, useSession } from '../session/session.js';
import { useViewer } from '../session/viewer.js';
import { Button } from './button.js';
import { Empty, Link } from './controls.js';
import { Icon } from './icon.js';

/** The pages by their paths. */
export const pages = [
  { to: '', words: 'Overview' },
  { to: 'schema', words: 'Map' },
  { to: 'records', words: 'Records' },
  { to: 'graphql', words: 'GraphiQL' },
  { to: 'docs', words: 'REST' },
];

/** What stands above every page; its children stand between the pages and who is signed in. */
export function Header({ current, children }: { current: string; children: ReactNode }) {
  const session = useSession();
  const leave = async () => {
    if (!(await mayLeave())) return;
    signOut();
    focusMain();
  };
  return (
    <header className="bar">
      <Link className="brand" to="">
        <img src={document.querySelector<HTMLLinkElement>('link[rel="icon"]')?.href} alt="" />
        Business Records
      </Link>
      <nav aria-label="Pages">
        {pages.map(({ to, words }) => (
          <Link key={to} to={to} aria-current={to === current ? 'page' : undefined}>
            {words}
          </Link>
        ))}
      </nav>
      {children}
      {session.status === 'in' && (
        <div className="signed-in">
          <Who person={session.person} />
          <Button kind="quiet" icon="signOut" onClick={leave}>
            <span className="if-wide">Sign out</span>
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
