import { useEffect, useRef } from 'react';
import type { Repair } from '../api/repair.js';
import { StatusBadge } from '../list/status-badge.js';
import type { LiveState } from '../live/follow.js';
import { LiveBadge } from '../live/live-badge.js';

/** The heading of the page, which screen readers begin to read at. */
export function RepairTitle({ repair, live }: { repair: Repair | null; live: LiveState }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const title = repair?.asset ?? 'New repair';
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    document.title = `${title} · Repair desk`;
  }, [title]);
  return (
    <div className="title">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {repair && (
        <>
          <StatusBadge status={repair.status} />
          <span className="hint">
            {repair.displayTitle}, version {repair.version}
          </span>
          <LiveBadge state={live} />
        </>
      )}
    </div>
  );
}
