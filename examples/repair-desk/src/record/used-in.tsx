import type { UsedInFragment } from '../generated/graphql.js';
import { StatusBadge } from '../list/status-badge.js';
import { RecordLink } from './record-link.js';

/** The repairs that have used the record, the newest first. */
export function UsedIn({ lines: { totalCount, nodes } }: { lines: UsedInFragment }) {
  return (
    <section aria-labelledby="used-in-title">
      <h2 id="used-in-title">Used in repairs</h2>
      {nodes.length === 0 && <p className="hint">In none.</p>}
      <ul>
        {nodes.map(({ id, itemCode, assetRepair }) => (
          <li key={id}>
            {assetRepair && <RecordLink record={assetRepair} />} as {itemCode}{' '}
            {assetRepair && <StatusBadge status={assetRepair.status} />}
          </li>
        ))}
      </ul>
      {totalCount > nodes.length && <p className="hint">{totalCount} in all; these are the newest.</p>}
    </section>
  );
}
