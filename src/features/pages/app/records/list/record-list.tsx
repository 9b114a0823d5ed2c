import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type FormEvent, Suspense, useCallback, useId, useMemo, useState } from 'react';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { askAll } from '../../api/graphql.js';
import { goTo, pathOf, useAddress } from '../../router.js';
import { useMay } from '../../session/viewer.js';
import { Button } from '../../ui/button.js';
import { Empty, Link, Loading, Trouble } from '../../ui/controls.js';
import { later } from '../../ui/later.js';
import { Menu } from '../../ui/menu.js';
import { CopyBar } from '../copy-bar.js';
import { useManyActions, useSelection } from '../many/selection.js';
import { listOperation } from '../operations.js';
import { ColumnDialog } from './column-dialog.js';
import { FilterBar } from './filter-bar.js';
import { Grid, type Row } from './grid.js';
import { blockSize, columnsOf, filterOf, type ListState, readState, variablesOf, writeState } from './list-state.js';
import { useLive } from './live.js';
import { Pager } from './pager.js';
import { SearchField } from './search-field.js';
import { useTotals } from './totals.js';
import { ViewMenu } from './view-menu.js';

const ManyBar = later(async () => (await import('../many/many-bar.js')).ManyBar);
const ExportDialog = later(async () => (await import('../many/export.js')).ExportDialog);

interface Block {
  totalCount: number;
  nodes: Row[];
}

/** The records of a type, filtered, ordered, and a page at a time. */
export function RecordList({ type }: { type: TypeAbout }) {
  const { search } = useAddress();
  const may = useMay();
  const state = useMemo(() => readState(search), [search]);
  const needsParent = type.kind === 'child' && !state.parent;
  const columns = columnsOf(type, state);
  const where = filterOf(type, state);
  const { data, error, isFetching, refetch, total, rows, onSight } = useRows(type, state, columns, !needsParent);
  const count = rows.length;
  const totals = useTotals(type, where, columns, !needsParent && !state.search && !state.parent && count > 0);
  const changes = useLive(type, where, !needsParent);
  const show = useCallback(
    (change: Partial<ListState>, options?: { replace: boolean }) => {
      const next = { ...state, page: 1, ...change };
      // Another page of a view is still that view.
      if (!('page' in change)) next.view = undefined;
      goTo(pathOf(`records/${type.slug}`) + writeState(next), options);
    },
    [state, type],
  );
  const find = useCallback((text: string | undefined) => show({ search: text }, { replace: true }), [show]);
  const [isChoosing, setChoosing] = useState(false);
  const [format, setFormat] = useState<string>();
  const actions = useManyActions(type);
  const selection = useSelection(JSON.stringify([where, state.search]), total);
  const gone = [...changes.values()].filter((word) => word === 'gone' || word === 'deleted').length;

  return (
    <>
      <div className="records-head">
        <div>
          <p className="crumbs">
            <Link to="records">Records</Link>
          </p>
          <h1>{type.title}</h1>
          <p className="soft">
            {type.description} <Link to={`schema/${type.model}`}>On the map</Link>
          </p>
        </div>
        {!needsParent && <CopyBar operation={listOperation(type, variablesOf(type, state), columns)} />}
        {may(type, 'CREATE') !== false && (
          <Link className="button main" to={`records/${type.slug}/new${state.parent ? `?parent=${state.parent}` : ''}`}>
            New {type.title}
          </Link>
        )}
      </div>
      {type.kind === 'child' && (
        <ParentForm type={type} parent={state.parent} onChange={(parent) => show({ parent })} />
      )}
      {!needsParent && (
        <>
          <div className="action-bar list-tools">
            {type.kind !== 'child' && <SearchField type={type} value={state.search ?? ''} onChange={find} />}
            <Button icon="columns" onClick={() => setChoosing(true)}>
              Columns
            </Button>
            <ViewMenu type={type} state={state} />
            <Menu
              icon="download"
              items={['csv', 'json'].map((each) => ({
                words: each.toUpperCase(),
                onSelect: () => setFormat(each),
              }))}
            >
              Export
            </Menu>
          </div>
          <FilterBar type={type} conditions={state.conditions} match={state.match} onChange={show} />
        </>
      )}
      {error && <Trouble error={error} retry={refetch} />}
      {!data && isFetching && <Loading lines={8} />}
      {data && !error && (
        <section className="card rows-card" aria-busy={isFetching} aria-label={`${type.title} records`}>
          {count === 0 && total > 0 && <Empty title="There is no such page: the list has fewer." />}
          {total === 0 && (where || state.search ? <Empty title="No record fulfils these filters." /> : nothing)}
          {count > 0 && (
            <Grid
              {...{ type, state, rows, totals, changes, onSight }}
              selection={actions.length > 0 ? selection : undefined}
              onChange={show}
            />
          )}
          <p className="live" role="status">
            {changes.size > 0 &&
              `Just now: ${changes.size - gone} changed${gone > 0 ? `, ${gone} no longer here` : ''}.`}
          </p>
          <Pager state={state} total={total} onChange={show} />
        </section>
      )}
      <Suspense>
        {(selection.isAll || selection.ids.size > 0) && <ManyBar {...{ type, state, selection, total, actions }} />}
        {format && <ExportDialog {...{ type, state, columns, total, format }} onClose={() => setFormat(undefined)} />}
      </Suspense>
      {isChoosing && (
        <ColumnDialog
          type={type}
          columns={state.columns}
          onChange={(chosen) => {
            setChoosing(false);
            show({ columns: chosen, page: state.page, view: undefined });
          }}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

/** The rows of a page. Of a long one the first block is read, and others as they come into sight. */
function useRows(type: TypeAbout, state: ListState, columns: FieldAbout[], isWanted: boolean) {
  const queryOf = (block: number) => {
    const operation = listOperation(type, variablesOf(type, state, block), columns);
    return {
      queryKey: ['list', type.model, operation],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await askAll<Record<string, Block>>(operation, signal))[type.many],
    };
  };
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOf(0),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  const total = data?.totalCount ?? 0;
  const count = Math.max(0, Math.min(state.size, total - (state.page - 1) * state.size));
  const [[from, to], setSight] = useState([0, 0]);
  const wanted = Array.from({ length: to - from + 1 }, (_, index) => from + index).filter(
    (block) => block > 0 && block * blockSize < count,
  );
  const found = useQueries({
    queries: wanted.map(queryOf),
    combine: (results) => results.map(({ data }) => data?.nodes),
  });
  const key = wanted.join();
  const rows = useMemo(() => {
    const all: (Row | undefined)[] = Array.from({ length: count });
    const put = (nodes: Row[], block: number) => {
      for (const [index, row] of nodes.entries()) all[block * blockSize + index] = row;
    };
    put(data?.nodes ?? [], 0);
    for (const [index, block] of key.split(',').entries()) put(found[index] ?? [], Number(block));
    return all;
  }, [data, found, count, key]);
  const onSight = useCallback((begin: number, end: number) => {
    const [one, other] = [Math.floor(begin / blockSize), Math.floor(end / blockSize)];
    setSight((now) => (now[0] === one && now[1] === other ? now : [one, other]));
  }, []);
  return { data, error, isFetching, refetch, total, rows, onSight };
}

/** The place of a list in which there is nothing, and how to get something into it. */
const nothing = (
  <Empty title="There is none yet.">
    <p className="soft">
      The command <code>records seed</code> fills an empty database with sample records.
    </p>
  </Empty>
);

/** Lines are listed by what they belong to. */
function ParentForm({ type, parent, onChange }: { type: TypeAbout; parent?: string; onChange(parent: string): void }) {
  const field = useId();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get('parent')).trim();
    if (id) onChange(id);
  };
  const owner = type.ofAnyRecord ? 'the record' : `the ${type.parents.map(({ model }) => model).join(' or ')}`;
  return (
    <form className="card" onSubmit={submit}>
      <label htmlFor={field}>Id of {owner} that they are lines of</label>
      <div className="field-row">
        <input id={field} name="parent" defaultValue={parent} />
        <button type="submit" className="main">
          Show its lines
        </button>
      </div>
    </form>
  );
}
