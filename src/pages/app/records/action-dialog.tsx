import { Modal } from '../ui/modal.js';
import { labelOf } from './value.js';

/** What an action would do, as the gateway found out by doing it and taking it back. */
export interface Preview {
  allowed: boolean;
  reason: string | null;
  changes: { field: string; from: string | null; to: string | null }[];
  deletes: { list: string; count: number }[];
}

interface Props {
  title: string;
  preview: Preview;
  onClose(): void;
  onPerform(): void;
}

export function ActionDialog({ title, preview, onClose, onPerform }: Props) {
  const { allowed, reason, changes, deletes } = preview;
  const gone = deletes.filter(({ count }) => count > 0);
  return (
    <Modal title={title} onClose={onClose}>
      <p className="soft">The gateway has tried it and taken it back. {allowed ? 'It would change:' : ''}</p>
      {!allowed && <p className="notice bad">{reason}</p>}
      <ul className="names">
        {changes.map(({ field, from, to }) => (
          <li key={field}>
            {labelOf(field)}: {from ?? '—'} → <strong>{to ?? '—'}</strong>
          </li>
        ))}
        {gone.map(({ list, count }) => (
          <li key={list}>
            {count} of {labelOf(list).toLowerCase()} deleted
          </li>
        ))}
        {allowed && changes.length === 0 && gone.length === 0 && <li>Nothing but the record itself.</li>}
      </ul>
      <div className="dialog-buttons">
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <button type="button" className="main" disabled={!allowed} onClick={onPerform}>
          Do it
        </button>
      </div>
    </Modal>
  );
}
