import { Modal } from '../ui/modal.js';
import { labelOf } from './rows.js';

/** What an action would do, as the gateway found out by doing it and taking it back. */
export interface Preview {
  allowed: boolean;
  reason: string | null;
  changes: { field: string; from: string | null; to: string | null }[];
  deletes: { list: string; count: number }[];
}

interface Props {
  title: string;
  /** Undefined while the gateway tries it. */
  preview?: Preview | undefined;
  /** While it is done. */
  isBusy: boolean;
  onClose(): void;
  onPerform(): void;
}

export function ActionDialog({ title, preview, isBusy, onClose, onPerform }: Props) {
  return (
    <Modal title={title} onClose={onClose} isHeld={isBusy}>
      {preview ? (
        <Found {...preview} />
      ) : (
        <p className="soft" role="status">
          The gateway is trying it…
        </p>
      )}
      <div className="dialog-buttons">
        <button type="button" disabled={isBusy} onClick={onClose}>
          Leave it
        </button>
        <button type="button" className="main" disabled={!preview?.allowed || isBusy} onClick={onPerform}>
          {isBusy ? 'Under way…' : 'Do it'}
        </button>
      </div>
    </Modal>
  );
}

/** Only documents have actions that change a field, so a status is a state. */
const wordOf = (field: string, value: string | null): string =>
  (field === 'status' ? value?.toLowerCase() : value) ?? '—';

function Found({ allowed, reason, changes, deletes }: Preview) {
  const gone = deletes.filter(({ count }) => count > 0);
  return (
    <>
      <p className="soft">The gateway has tried it and taken it back. {allowed ? 'It would change:' : ''}</p>
      {!allowed && <p className="notice bad">{reason}</p>}
      <ul className="names">
        {changes.map(({ field, from, to }) => (
          <li key={field}>
            {labelOf(field)}: {wordOf(field, from)} → <strong>{wordOf(field, to)}</strong>
          </li>
        ))}
        {gone.map(({ list, count }) => (
          <li key={list}>
            {count} of {labelOf(list).toLowerCase()} deleted
          </li>
        ))}
        {allowed && changes.length === 0 && gone.length === 0 && <li>The record itself, and nothing else.</li>}
      </ul>
    </>
  );
}
