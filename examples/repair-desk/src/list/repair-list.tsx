import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { listRepairs } from '../api/operations.js';
import { troubleOf } from '../api/trouble.js';
import { LiveBadge } from '../live/live-badge.js';
import { Loading } from '../loading.js';
import { useOffer } from '../offer/offer.js';
import { RetryAlert } from '../retry-alert.js';
import { addresses } from '../route.js';
import { EmptyList } from './empty-list.js';
import { FilterBar, listedBy, noFilter } from './filter-bar.js';
import { RepairRows } from './repair-rows.js';
import { useLiveList } from './use-live-list.js';
import { useSettled } from './use-settled.js';

/** All asset repairs, ten at a time, and as they are now: the newest first, or what a search finds, the best first. */
export function RepairList({ isShown }: { isShown: boolean }) {
  const [filter, setFilter] = useState(noFilter);
  const [cursors, setCursors] = useState<string[]>([]);
  const settled = useSettled(filter);
  const { canSearch, mayCreate } = useOffer();
  const { where, search } = useMemo(() => listedBy(settled, canSearch), [settled, canSearch]);
  const [{ data, error, stale, fetching }, read] = useQuery({
    query: listRepairs,
    variables: useMemo(() => ({ where, search, after: cursors.at(-1) ?? null }), [where, search, cursors]),
    requestPolicy: 'cache-and-network',
  });
  const list = data?.assetRepairs;
  const rows = list?.nodes ?? [];
  const readAgain = () => read({ requestPolicy: 'network-only' });
  const { live, marked } = useLiveList({ where, search, rows, isOn: isShown, readAgain });
  const next = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;

  return (
    <main className={fetching || stale ? 'card busy' : 'card'} aria-busy={fetching || stale}>
      <div className="title">
        <h1>Asset repairs</h1>
        {list && <span className="hint">{list.totalCount} in all</span>}
        <LiveBadge state={live} />
        {mayCreate && (
          <a className="button primary" href={addresses.new}>
            New repair
          </a>
        )}
      </div>
      <FilterBar
        filter={filter}
        onChange={(changed) => {
          setFilter(changed);
          setCursors([]);
        }}
      />
      {error && <RetryAlert message={troubleOf(error).message} onRetry={readAgain} />}
      {!list && !error && <Loading what="The list" />}
      {list && rows.length === 0 && (
        <EmptyList isFiltered={settled !== noFilter} onShowAll={() => setFilter(noFilter)} />
      )}
      {rows.length > 0 && <RepairRows rows={rows} marked={marked} />}
      <nav className="actions" aria-label="Pages">
        <span className="hint">Page {cursors.length + 1}</span>
        <button type="button" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
          Previous
        </button>
        <button type="button" disabled={next === null} onClick={() => next !== null && setCursors([...cursors, next])}>
          Next
        </button>
      </nav>
    </main>
  );
}
