import { useState } from 'react';

/** Asks for the API key; `refused` says that the gateway did not accept the last one. */
export function KeyForm({ refused, onKey }: { refused: boolean; onKey: (key: string) => void }) {
  const [key, setKey] = useState('');
  return (
    <main>
      <form
        className="card key"
        onSubmit={(event) => {
          event.preventDefault();
          onKey(key.trim());
        }}
      >
        <h1>Repair desk</h1>
        {refused && (
          <p className="alert" role="alert">
            The gateway does not know this key, or not any more. What you have not saved is kept: enter another key to
            go on.
          </p>
        )}
        <div className="field">
          <label htmlFor="key">API key</label>
          <input
            id="key"
            type="password"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            autoComplete="off"
          />
        </div>
        <p className="hint">The gateway printed it at its first start. It is kept until this tab is closed.</p>
        <button type="submit" className="primary" disabled={key.trim() === ''}>
          Open the desk
        </button>
      </form>
    </main>
  );
}
