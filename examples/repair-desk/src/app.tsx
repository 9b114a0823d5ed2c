import { useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createClient } from './api/client.js';
import { Desk } from './desk.js';
import { forgetKey, keepKey, keptKey } from './key/kept-key.js';
import { KeyForm } from './key/key-form.js';
import { isFreeToLeave } from './route.js';

/** Asks for the key, then shows the desk. If the key is refused later, the desk waits for another with all its edits. */
export function App() {
  const [key, setKey] = useState(keptKey);
  const [refused, setRefused] = useState(false);

  const client = useMemo(() => {
    if (key === null) return null;
    return createClient(key, () => {
      forgetKey();
      setRefused(true);
    });
  }, [key]);

  function enter(given: string) {
    keepKey(given);
    setRefused(false);
    setKey(given);
  }

  function leave() {
    if (!isFreeToLeave()) return;
    forgetKey();
    setKey(null);
  }

  return (
    <>
      {(key === null || refused) && <KeyForm refused={refused} onKey={enter} />}
      {client && (
        <Provider value={client}>
          <div hidden={refused}>
            <Desk onLeave={leave} />
          </div>
        </Provider>
      )}
    </>
  );
}
