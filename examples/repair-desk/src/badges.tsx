import type { DocumentStatus } from './generated/graphql.js';
import type { LiveState } from './live/follow.js';

/** The status of a document as a coloured word. */
export function StatusBadge({ status }: { status: DocumentStatus }) {
  const word = status.toLowerCase();
  return <span className={`badge ${word}`}>{word}</span>;
}

const words = { live: 'Live', connecting: 'Connecting…', off: 'Not live' };

/** Whether the page shows changes of others as they happen. */
export function LiveBadge({ state }: { state: LiveState }) {
  return (
    <span className={`stream ${state}`} role="status">
      {words[state]}
    </span>
  );
}
