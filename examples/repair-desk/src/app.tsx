import { useMemo, useState } from 'react';
import { Provider } from 'urql';
import { createClient } from './api/client.js';
import { RepairPage } from './document/repair-page.js';
import { forgetKey, keepKey, keptKey } from './key/kept-key.js';
import { KeyForm } from './key/key-form.js';
import { RepairList } from './list/repair-list.js';
import { useOpenRepair } from './route.js';

/** Asks for the key, then shows the list or the repair the address names. */
export function App() {
  const [key, setKey] = useState(keptKey);
  const [refused, setRefused] = useState(false);
  const openRepair = useOpenRepair();

  const client = useMemo(() => {
    if (key === null) return null;
    return createClient(key, () => {
      forgetKey();
      setKey(null);
      setRefused(true);
    });
  }, [key]);

  function enter(given: string) {
    keepKey(given);
    setRefused(false);
    setKey(given);
  }

  function leave() {
    forgetKey();
    setKey(null);
  }

  if (!client) return <KeyForm refused={refused} onKey={enter} />;
  return (
    <Provider value={client}>
      <header className="bar">
        <a className="brand" href="#/">
          Repair desk
        </a>
        <button type="button" className="quiet" onClick={leave}>
          Forget the key
        </button>
      </header>
      {/* The list stays, out of sight, so that going back finds its filter and its page. */}
      <div hidden={openRepair !== null}>
        <RepairList />
      </div>
      {openRepair !== null && <RepairPage key={openRepair} id={openRepair} />}
    </Provider>
  );
}
