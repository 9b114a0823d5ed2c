import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { listRepairs } from '../api/operations.js';
import { troubleOf } from '../api/trouble.js';
import { type Filter, FilterBar, whereOf } from './filter-bar.js';
import { RepairRows } from './repair-rows.js';
import { useSettled } from './use-settled.js';

/** All asset repairs, newest first, ten at a time, narrowed by a filter. */
export function RepairList() {
  const [filter, setFilter] = useState<Filter>({ asset: '', status: '' });
  const [cursors, setCursors] = useState<string[]>([]);
  const settled = useSettled(filter);
  const variables = useMemo(() => ({ where: whereOf(settled), after: cursors.at(-1) ?? null }), [settled, cursors]);
  const [{ data, error, stale, fetching }] = useQuery({
    query: listRepairs,
    variables,
    requestPolicy: 'cache-and-network',
  });
  const list = data?.assetRepairs;
  const next = list?.pageInfo.hasNextPage ? list.pageInfo.endCursor : null;

  return (
    <main className={fetching || stale ? 'card busy' : 'card'} aria-busy={fetching || stale}>
      <div className="title">
        <h1>Asset repairs</h1>
        {list && <span className="hint">{list.totalCount} in all</span>}
      </div>
      <FilterBar
        filter={filter}
        onChange={(changed) => {
          setFilter(changed);
          setCursors([]);
        }}
      />
      {error && (
        <p className="alert" role="alert">
          {troubleOf(error).message}
        </p>
      )}
      {list && <RepairRows rows={list.nodes} />}
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
