import { useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { Provider } from 'urql';
import { createClient } from './api/client.js';
import { router } from './desk.js';
import { KeyForm } from './key-form.js';
import { keptSession, type Session } from './session.js';
import type { Arrival } from './sign-in.js';

/** Lets somebody sign in, then shows the desk. If that ends later, the desk waits for another sign-in with all its edits. */
export function App({ arrival: { trouble, isDone } }: { arrival: Arrival }) {
  const [continueWith, setContinue] = useState<((session: Session) => void) | null>(null);
  const [client, setClient] = useState(() => clientWith(keptSession.read()));

  function clientWith(session: Session | null) {
    const askForSession = () => new Promise<Session>((resolve) => setContinue(() => resolve));
    return session === null ? null : createClient(session, askForSession);
  }

  function enter(session: Session) {
    keptSession.keep(session);
    setContinue(null);
    if (client) continueWith?.(session);
    else setClient(clientWith(session));
  }

  if (isDone)
    return <main className="card">You are signed in, and the desk goes on in the other tab. Close this one.</main>;

  const isKeyRefused = continueWith !== null;
  return (
    <>
      {(!client || isKeyRefused) && <KeyForm isRefused={isKeyRefused} trouble={trouble} onSession={enter} />}
      {client && (
        <Provider value={client}>
          <div hidden={isKeyRefused}>
            <RouterProvider router={router} />
          </div>
        </Provider>
      )}
    </>
  );
}
