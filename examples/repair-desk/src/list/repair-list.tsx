import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { listRepairs } from '../api/operations.js';
import { troubleOf } from '../api/trouble.js';
import { LiveBadge } from '../badges.js';
import { Waiting } from '../waiting.js';
import { FilterBar, noFilter } from './filter-bar.js';
import { RepairRows } from './repair-rows.js';
import { useLiveList } from './use-live-list.js';

/** All asset repairs, ten at a time, and as they are now: the newest first, or what a search finds, the best first. */
export function RepairList({ isShown }: { isShown: boolean }) {
  const [filter, setFilter] = useState(noFilter);
  const [cursors, setCursors] = useState<string[]>([]);
  const settled = useSettled(filter);
  const where = useMemo(() => (settled.status === '' ? {} : { status: { eq: settled.status } }), [settled]);
  const search = settled.text || null;
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
    <main className="card" {...useReturnedFocus(isShown)}>
      <header className="title">
        <h1 tabIndex={-1}>Asset repairs</h1>
        {list && <small aria-busy={fetching || stale}>{list.totalCount} in all</small>}
        <LiveBadge state={live} />
        {data?.viewer?.mayCreate && (
          <Link className="button" to="/new">
            New repair
          </Link>
        )}
      </header>
      <FilterBar
        filter={filter}
        onChange={(changed) => {
          setFilter(changed);
          setCursors([]);
        }}
      />
      {(error || !list) && <Waiting what="The list" trouble={error && troubleOf(error).message} onRetry={readAgain} />}
      {list && rows.length === 0 && settled === noFilter && (
        <p>There are no repairs yet. “New repair” makes the first.</p>
      )}
      {list && rows.length === 0 && settled !== noFilter && (
        <p>
          No repair is like that.{' '}
          <button type="button" className="outline" onClick={() => setFilter(noFilter)}>
            Show all
          </button>
        </p>
      )}
      {rows.length > 0 && <RepairRows rows={rows} marked={marked} />}
      <div className="actions">
        <small>Page {cursors.length + 1}</small>
        <button
          type="button"
          className="outline"
          disabled={cursors.length === 0}
          onClick={() => setCursors(cursors.slice(0, -1))}
        >
          Previous
        </button>
        <button
          type="button"
          className="outline"
          disabled={next === null}
          onClick={() => next !== null && setCursors([...cursors, next])}
        >
          Next
        </button>
      </div>
    </main>
  );
}

/** The value once it has stopped changing for a quarter of a second. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 250);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Going back to the list moves the focus to the link that led away from it, or else to the heading. */
function useReturnedFocus(isShown: boolean) {
  const list = useRef<HTMLElement>(null);
  const left = useRef<HTMLElement | null>(null);
  const wasAway = useRef(!isShown);
  useEffect(() => {
    if (isShown && wasAway.current) {
      const link = left.current?.isConnected ? left.current : list.current?.querySelector<HTMLElement>('h1');
      link?.focus();
    }
    wasAway.current = !isShown;
  }, [isShown]);
  return {
    ref: list,
    onFocus({ target }: { target: HTMLElement }) {
      left.current = target;
    },
  };
}
