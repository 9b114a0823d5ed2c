import { useState } from 'react';
import { RouterProvider } from 'react-router/dom';
import { Provider } from 'urql';
import { createClient } from './api/client.js';
import { router } from './desk.js';
import { keptKey } from './kept-key.js';
import { KeyForm } from './key-form.js';

/** Asks for the key, then shows the desk. If the key is refused later, the desk waits for another with all its edits. */
export function App() {
  const [continueWith, setContinue] = useState<((key: string) => void) | null>(null);
  const [client, setClient] = useState(() => clientWith(keptKey.read()));

  function clientWith(key: string | null) {
    const askForKey = () => new Promise<string>((resolve) => setContinue(() => resolve));
    return key === null ? null : createClient(key, askForKey);
  }

  function enter(key: string) {
    keptKey.keep(key);
    setContinue(null);
    if (client) continueWith?.(key);
    else setClient(clientWith(key));
  }

  const isKeyRefused = continueWith !== null;
  return (
    <>
      {(!client || isKeyRefused) && <KeyForm isRefused={isKeyRefused} onKey={enter} />}
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
