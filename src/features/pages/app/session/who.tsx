import { useQuery } from '@tanstack/react-query';
import type { IssuerAbout } from '../../about.js';
import { askAll, useAttempt } from '../api/graphql.js';
import { addressOf, hasUnsaved } from '../router.js';
import { issuerName, leaveFor, readSignIns, redirectPath } from './authorization.js';
import { useSession } from './session.js';

/** The issuers with which people can sign in here. Nobody needs a key to ask for them. */
export const useSignIns = () => useQuery({ queryKey: ['about', 'sign-in'], queryFn: readSignIns });

/** Signs in with an issuer: in another tab, where something typed would be lost with this page. */
export async function signInAgain(at: IssuerAbout): Promise<void> {
  const isHere = location.pathname === redirectPath;
  if (!hasUnsaved()) return leaveFor(at, isHere ? addressOf('') : location.href);
  open(`${redirectPath}#${new URLSearchParams({ issuer: at.issuer })}`, '_blank', 'noopener');
}

interface Viewer {
  name: string;
  scopes: string[];
  roles: string[];
  expiresAt: string | null;
}

/** Who is signed in, as what, and until when. */
export function Who() {
  const session = useSession();
  const { data } = useQuery({
    queryKey: ['viewer'],
    queryFn: ({ signal }) =>
      askAll<{ viewer: Viewer | null }>({ query: '{ viewer { name scopes roles expiresAt } }' }, signal),
  });
  const person = session.status === 'in' ? session.person : undefined;
  const { name = 'Signed in', roles = [], scopes = [], expiresAt } = data?.viewer ?? {};
  const ends = person?.endsAt ?? (expiresAt ? Date.parse(expiresAt) : undefined);
  return (
    <details className="who">
      <summary>
        <span className="dot" aria-hidden="true" />
        <span className="who-name">{name}</span>
      </summary>
      <dl>
        <dt>Signed in</dt>
        <dd>{person ? `with ${issuerName(person)}` : 'with an API key'}</dd>
        <dt>{roles.length > 0 ? 'Roles' : 'Scopes'}</dt>
        <dd>{(roles.length > 0 ? roles : scopes).join(', ') || 'none that counts here'}</dd>
        <dt>Until</dt>
        <dd>
          {ends === undefined ? 'it is revoked' : timeOf(ends)}
          {person?.refreshToken !== undefined && ', and renewed before'}
        </dd>
      </dl>
    </details>
  );
}

/** The time, with the day where it is another one. */
function timeOf(moment: number): string {
  const date = new Date(moment);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString('en-GB', { timeStyle: 'short', ...(!isToday && { dateStyle: 'medium' }) });
}

/** Says in time that the sign-in ends, where it cannot be renewed without the person. */
export function EndingNotice() {
  const session = useSession();
  const { data: signIns = [] } = useSignIns();
  const { problem, start } = useAttempt(signInAgain);
  if (session.status !== 'in' || !session.isEnding || !session.person) return null;
  const { issuer, endsAt } = session.person;
  const at = signIns.find((each) => each.issuer === issuer);
  return (
    <div className="notice ending" role="status">
      <p>
        Your sign-in ends at {timeOf(endsAt)}. {problem ?? 'What you have typed stays when you sign in again.'}
      </p>
      {at && (
        <button type="button" onClick={() => void start(at)}>
          Sign in again
        </button>
      )}
    </div>
  );
}
