import type { Repair } from '../api/repair.js';
import { addresses } from '../route.js';
import { Author } from './author.js';

interface Props {
  /** The repair as the user has read it. */
  base: Repair;
  newer: Repair | 'deleted';
  isEdited: boolean;
  busy: boolean;
  onSaveAsNew: () => void;
  onLetGo: () => void;
}

/** Says that the repair was submitted, cancelled or deleted meanwhile, and offers what to do with the user's edits. */
export function OvertakenPanel({ base, newer, isEdited, busy, onSaveAsNew, onLetGo }: Props) {
  const isDeleted = newer === 'deleted';
  return (
    <section className="panel" aria-labelledby="overtaken-title" aria-live="polite">
      <h2 id="overtaken-title">
        This repair was {isDeleted ? 'deleted' : newer.status.toLowerCase()}
        <Author id={base.id} version={isDeleted ? 'last' : newer.version} />
      </h2>
      <p>
        {isEdited ? 'Your edits are not saved, and cannot be saved in it any more. ' : ''}
        {isDeleted || isEdited ? 'What stands in the form can be saved as a new repair.' : ''}
      </p>
      <div className="actions">
        {isDeleted ? (
          <a className="button" href={addresses.list}>
            All repairs
          </a>
        ) : (
          <button type="button" disabled={busy} onClick={onLetGo}>
            Drop my edits
          </button>
        )}
        <button type="button" className="primary" disabled={busy} onClick={onSaveAsNew}>
          Save as a new repair
        </button>
      </div>
    </section>
  );
}
