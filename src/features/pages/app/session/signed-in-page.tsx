import { useEffect, useState } from 'react';
import { Link, Loading, wordsFor } from '../ui/controls.js';
import { leaveFor, readSignIns } from './authorization.js';
import { problemOfArrival, useSession } from './session.js';
import { SignIn } from './sign-in.js';

/**
 * Where issuers send people back to. It leads on to the page from which they came, so it is seen only when something went
 * wrong, and in a tab that was opened to sign in again beside another one, which begins at `#issuer=…`.
 */
export function SignedInPage() {
  const session = useSession();
  const [asked] = useState(() => new URLSearchParams(location.hash.slice(1)).get('issuer'));
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    if (asked === null) return;
    history.replaceState(null, '', location.pathname);
    readSignIns()
      .then((signIns) => signIns.find(({ issuer }) => issuer === asked))
      .then((at) => (at ? leaveFor(at) : setProblem('Sign in again.')))
      .catch((error: unknown) => setProblem(wordsFor(error)));
  }, [asked]);

  const shown = problem ?? problemOfArrival();
  if (session.status === 'looking' || (asked !== null && !shown)) return <Loading what="Signing in" />;
  return (
    <div className="card narrow">
      {shown && (
        <p className="notice bad" role="alert">
          {shown}
        </p>
      )}
      {session.status === 'in' ? (
        <>
          <h1>You are signed in</h1>
          <p>A tab that asked you to goes on where it was. You can close this one.</p>
          <Link className="button main" to="">
            Look around here
          </Link>
        </>
      ) : (
        <SignIn reason="To see and change records." />
      )}
    </div>
  );
}
