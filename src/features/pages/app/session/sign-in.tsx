import { useQuery } from '@tanstack/react-query';
import { Activity, type FormEvent, type ReactNode, useId, useState } from 'react';
import type { BrowserIssuer } from '../../about.js';
import { ask, readFile, useAttempt } from '../api/graphql.js';
import { codeOf } from '../api/problems.js';
import { focusMain, hasUnsaved, pathOf } from '../router.js';
import { Empty, Link, Loading, Problem } from '../ui/controls.js';
import { leaveFor } from './authorization.js';
import { signIn, useSession } from './session.js';
import { useViewer } from './viewer.js';

/** Lets people sign in with an issuer, or by an API key, once for all pages, and tells what is wrong. */
export function SignIn({ reason }: { reason: string }) {
  const session = useSession();
  const [key, setKey] = useState('');
  const id = useId();
  const { pending, problem, start, reset } = useAttempt(async (given: string) => {
    await checkKey(given);
    signIn({ key: given });
    // The field is gone.
    focusMain();
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void start(key.trim());
  };

  return (
    <form className="sign-in" onSubmit={submit} noValidate>
      <p className="soft">{reason}</p>
      {session.status === 'out' && <Problem>{session.problem}</Problem>}
      <IssuerButtons />
      <label htmlFor={id}>API key</label>
      <div className="field-row">
        <input
          id={id}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={key}
          onChange={(event) => {
            setKey(event.target.value);
            reset();
          }}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem ${id}-hint`}
        />
        <button type="submit" className="main" disabled={pending !== undefined}>
          {pending !== undefined ? 'Checking…' : 'Sign in'}
        </button>
      </div>
      <Problem id={`${id}-problem`}>{problem}</Problem>
      <p className="hint" id={`${id}-hint`}>
        The first start prints one; <code>records keys create "My key" --scopes '*'</code> prints another that may do
        all but manage keys. It stays in this tab, over reloads and in new tabs, until you sign out or close them.
      </p>
    </form>
  );
}

/** A button for each issuer with which people can sign in here: in another tab, where they would lose what they have typed. */
function IssuerButtons() {
  const { data: issuers = [] } = useQuery({
    queryKey: ['about', 'sign-in'],
    queryFn: () => readFile<BrowserIssuer[]>('pages/sign-in.json'),
  });
  const start = (at: BrowserIssuer) =>
    hasUnsaved() ? open(pathOf('signed-in'), '_blank', 'noopener') : void leaveFor(at);
  return issuers.map((at) => (
    <button key={at.issuer} type="button" className="main" disabled={!isSecureContext} onClick={() => start(at)}>
      Sign in with {at.label}
      {!isSecureContext && ', on pages at https:// only'}
    </button>
  ));
}

/** Where issuers send people back to: seen where something went wrong, and where another tab goes on with what is typed there. */
export function SignedInPage() {
  const { data } = useViewer();
  return (
    <NeedsKey reason="Other tabs in which you were signed in go on where they are.">
      {() => (
        <Empty title={data ? `You are signed in as ${data.name}.` : 'You are signed in.'}>
          <p>
            A tab that waited for it goes on: you can close this one, or <Link to="">look around here</Link>.
          </p>
        </Empty>
      )}
    </NeedsKey>
  );
}

/** @throws with what is wrong with the key */
async function checkKey(key: string): Promise<void> {
  if (!key) throw new Error('Paste an API key first.');
  // A header takes no other characters, and fetch would throw an error that nobody understands.
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error('This is no API key: it has spaces or letters that no key has.');
  try {
    await ask({ query: '{ __typename }' }, null, key);
  } catch (error) {
    if (codeOf(error) !== 'UNAUTHENTICATED') throw error;
    throw new Error('The gateway does not know this key. Was it copied whole?');
  }
}

/** Shows its children to whoever is signed in, and asks everybody else for the key first. */
export function NeedsKey({ reason, children }: { reason: string; children: () => ReactNode }) {
  const session = useSession();
  const [wasIn, setWasIn] = useState(false);
  // The gateway may have refused the key, while nobody has signed out.
  const isShown = session.status === 'in' || (wasIn && session.status === 'out' && session.problem !== undefined);
  if (isShown !== wasIn) setWasIn(isShown);
  if (session.status === 'looking') return <Loading />;
  return (
    <>
      {session.status === 'out' && (
        <div className="card narrow">
          <SignIn reason={reason} />
        </div>
      )}
      {/* What somebody has typed when the key ends is kept, out of sight, for the next key. */}
      {isShown && <Activity mode={session.status === 'in' ? 'visible' : 'hidden'}>{children()}</Activity>}
    </>
  );
}
