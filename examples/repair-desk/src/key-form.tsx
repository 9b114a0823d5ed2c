import { Client, fetchExchange } from '@urql/core';
import { useEffect, useEffectEvent } from 'react';
import { useForm } from 'react-hook-form';
import { readViewer } from './api/operations.js';
import { codesOf, troubleOf } from './api/trouble.js';
import type { Session } from './session.js';
import { canSignIn, onSignedIn, signIn, signInBeside } from './sign-in.js';

const scopes = 'assets:read,assets:write,assets:submit,assets:cancel,assets:delete';

interface Props {
  /** The gateway does not accept the last key or token any more, and the desk holds what is not saved. */
  isRefused: boolean;
  /** Why somebody who has come back from the identity provider is not signed in. */
  trouble: string | undefined;
  onSession: (session: Session) => void;
}

/** Lets somebody sign in with the identity provider, or asks for an API key, which is meant for development. */
export function KeyForm({ isRefused, trouble: ofArrival, onSession }: Props) {
  const take = useEffectEvent(onSession);
  useEffect(() => onSignedIn((session) => take(session)), []);
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { key: '' } });
  const problem = formState.errors.key?.message;

  const enter = handleSubmit(async ({ key: text }) => {
    const key = text.trim();
    const trouble = await troubleWith(key);
    if (trouble === undefined) onSession({ key });
    else setError('key', { message: trouble }, { shouldFocus: true });
  });

  return (
    <main className="key">
      <form className="card" onSubmit={enter}>
        <h1>Repair desk</h1>
        {isRefused && !problem && (
          <p className="alert" role="alert">
            The gateway does not know this key, or not any more. What you have not saved is kept: enter another key
            {canSignIn && ', or sign in again,'} to go on.
          </p>
        )}
        {ofArrival && (
          <p className="alert" role="alert">
            {ofArrival}
          </p>
        )}
        {canSignIn && (
          <button type="button" onClick={() => (isRefused ? signInBeside() : void signIn())}>
            Sign in
          </button>
        )}
        <label>
          Your API key
          <input
            type="password"
            autoComplete="off"
            aria-invalid={problem ? true : undefined}
            aria-describedby="key-problem"
            {...register('key', { validate: (key) => key.trim() !== '' || 'Enter your key.' })}
          />
        </label>
        <p id="key-problem" role="alert" className="problem">
          {problem}
        </p>
        <button type="submit" aria-busy={formState.isSubmitting}>
          Open the desk
        </button>
        <details open={!canSignIn}>
          <summary>How to get one</summary>
          <p>
            Everybody has a key of their own, by whose name others see who has changed something. Whoever runs the
            gateway makes it, in its folder, with these scopes or fewer:
          </p>
          <pre>
            <code>npx records keys create "Ann at the desk" --scopes {scopes}</code>
          </pre>
          <p>It is kept until this tab is closed.</p>
        </details>
      </form>
    </main>
  );
}

/** Why the key is not to be used; undefined if nothing speaks against it. */
async function troubleWith(key: string): Promise<string | undefined> {
  const fetchOptions = { headers: { authorization: `Bearer ${key}` } };
  const client = new Client({ url: '/graphql', preferGetMethod: false, fetchOptions, exchanges: [fetchExchange] });
  const { data, error } = await client.query(readViewer, {});
  if (codesOf(error).includes('UNAUTHENTICATED')) return 'The gateway does not know this key.';
  if (!data?.viewer) return troubleOf(error).message;
  if (!data.viewer.scopes.includes('admin')) return undefined;
  return 'This key can make other keys, and must not be in a browser: use a key of your own, with fewer scopes.';
}
