import type { LiveState } from './follow.js';

const words = {
  live: 'Live',
  connecting: 'Connecting…',
  off: 'Not live',
};

/** Whether the page shows changes of others as they happen. */
export function LiveBadge({ state }: { state: LiveState }) {
  return (
    <span className={`stream ${state}`} role="status">
      {words[state]}
    </span>
  );
}
