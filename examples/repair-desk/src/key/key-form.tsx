import { useState } from 'react';

/** Asks for the API key. */
export function KeyForm({ refused, onKey }: { refused: boolean; onKey: (key: string) => void }) {
  const [key, setKey] = useState('');
  return (
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
          The gateway does not know this key.
        </p>
      )}
      <label className="field">
        <span>API key</span>
        <input type="password" value={key} onChange={(event) => setKey(event.target.value)} autoComplete="off" />
      </label>
      <p className="hint">The gateway printed it at its first start. It is kept until this tab is closed.</p>
      <button type="submit" className="primary" disabled={key.trim() === ''}>
        Open the desk
      </button>
    </form>
  );
}
