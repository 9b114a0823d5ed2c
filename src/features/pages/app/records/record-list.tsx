import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TypeAbout } from '../../about.js';
import { pathOf } from '../addresses.js';
import { askAll } from '../api/graphql.js';
import { goTo, useAddress } from '../router.js';
import { Link } from '../ui/link.js';
import { Loading, Trouble } from '../ui/notice.js';
import { CopyBar } from './copy-bar.js';
import { FilterBar } from './filter-bar.js';
import { type ListState, readState, variablesOf, writeState } from './list-state.js';
import { NoRows } from './no-rows.js';
import { listOperation } from './operations.js';
import { ParentForm } from './parent-form.js';
import { type Row, Rows } from './rows.js';

interface Page {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
  nodes: Row[];
}

/** The records of a type, filtered, ordered, and a page at a time. */
export function RecordList({ type, recordKey }: { type: TypeAbout; recordKey: string }) {
  const { search } = useAddress();
  const state = readState(search);
  const needsParent = type.kind === 'child' && !state.parent;
  const operation = listOperation(type, variablesOf(type, state));
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['list', type.model, operation.variables],
    enabled: !needsParent,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { query, variables } = operation;
      return (await askAll<Record<string, Page>>(recordKey, query, variables, signal))[type.many];
    },
  });
  const show = (next: Partial<ListState>) =>
    goTo(pathOf(`records/${type.slug}`) + writeState({ ...state, after: undefined, before: undefined, ...next }));

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
        {!needsParent && <CopyBar operation={operation} />}
      </div>
      {type.kind === 'child' && (
        <ParentForm type={type} parent={state.parent} onChange={(parent) => show({ parent })} />
      )}
      {!needsParent && (
        <FilterBar type={type} conditions={state.conditions} onChange={(conditions) => show({ conditions })} />
      )}
      {error && <Trouble error={error} retry={() => void refetch()} />}
      {!data && isFetching && <Loading lines={8} />}
      {data && !error && (
        <section className="card rows-card" aria-busy={isFetching} aria-label={`${type.title} records`}>
          {data.nodes.length === 0 ? (
            <NoRows type={type} isFiltered={state.conditions.length > 0} />
          ) : (
            <Rows type={type} rows={data.nodes} order={state.order} onOrder={(order) => show({ order })} />
          )}
          <div className="pager">
            <span className="soft">{data.totalCount.toLocaleString('en')} in all</span>
            <button
              type="button"
              disabled={!data.pageInfo.hasPreviousPage}
              onClick={() => show({ before: data.pageInfo.startCursor })}
            >
              Previous
            </button>
            <button
              type="button"
              disabled={!data.pageInfo.hasNextPage}
              onClick={() => show({ after: data.pageInfo.endCursor })}
            >
              Next
            </button>
          </div>
        </section>
      )}
    </>
  );
}
