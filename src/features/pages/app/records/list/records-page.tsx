import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { type TypeAbout, typeCalled } from '../../../about.js';
import { askAll, useAbout } from '../../api/graphql.js';
import { Areas } from '../../overview/overview.js';
import { goTo, lastSeen, pathOf, useAddress, useTitle } from '../../router.js';
import { NeedsKey } from '../../session/sign-in.js';
import { useMay } from '../../session/viewer.js';
import { Empty, Link, Loading, Trouble } from '../../ui/controls.js';
import { later } from '../../ui/later.js';
import { CopyBar } from '../copy-bar.js';
import { listOperation } from '../operations.js';
import { FilterBar, type ListState, readState, variablesOf, writeState } from './filter-bar.js';
import { type Row, Rows } from './rows.js';

const RecordPage = later(async () => (await import('../record/record-page.js')).RecordPage);

/** The records: which types there are, the records of one, or one record. */
export function RecordsPage({ slug, id }: { slug: string | undefined; id: string | undefined }) {
  const about = useAbout();
  const type = slug === undefined ? undefined : typeCalled(about, slug);
  useTitle(id ? undefined : (type?.title ?? 'Records'));
  if (!slug) return <Chooser />;
  if (!type) {
    return (
      <Empty title={`There is no record type ${slug}.`}>
        <Link to="records">See those there are</Link>
      </Empty>
    );
  }
  const shown = id ?? type.onlyId;
  return (
    <NeedsKey reason={`To look at ${type.title} records.`}>
      {() => (shown ? <RecordPage key={id} type={type} id={shown} /> : <RecordList key={slug} type={type} />)}
    </NeedsKey>
  );
}

function Chooser() {
  const { types } = useAbout();
  const may = useMay();
  const mayNot = types.filter((type) => type.kind !== 'child' && may(type, 'READ') === false).length;
  return (
    <>
      <h1>Records</h1>
      <p className="lead">Which of them do you want to look at?</p>
      <Areas
        item={(type) =>
          type.kind !== 'child' &&
          may(type, 'READ') !== false && (
            <li key={type.slug}>
              <Link to={lastSeen(`records/${type.slug}`)}>{type.title}</Link>
            </li>
          )
        }
      />
      {mayNot > 0 && (
        <p className="soft">
          {mayNot === 1 ? 'One other record type is' : `${mayNot} other record types are`} not listed: you may not read{' '}
          {mayNot === 1 ? 'it' : 'them'}. What you may do stands at your name, above.
        </p>
      )}
    </>
  );
}

interface Page {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
  nodes: Row[];
}

/** The records of a type, filtered, ordered, and a page at a time. */
function RecordList({ type }: { type: TypeAbout }) {
  const { search } = useAddress();
  const state = readState(search);
  const needsParent = type.kind === 'child' && !state.parent;
  const operation = listOperation(type, variablesOf(type, state));
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['list', type.model, operation.variables],
    enabled: !needsParent,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await askAll<Record<string, Page>>(operation, signal))[type.many],
  });
  const { hasPreviousPage, hasNextPage, startCursor, endCursor } = data?.pageInfo ?? {};
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
      {error && <Trouble error={error} retry={refetch} />}
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
            <button type="button" disabled={!hasPreviousPage} onClick={() => show({ before: startCursor })}>
              Previous
            </button>
            <button type="button" disabled={!hasNextPage} onClick={() => show({ after: endCursor })}>
              Next
            </button>
          </div>
        </section>
      )}
    </>
  );
}

/** The place of a list in which there is nothing, and how to get something into it. */
function NoRows({ type, isFiltered }: { type: TypeAbout; isFiltered: boolean }) {
  const about = useAbout();
  const create = type.endpoints.find(({ operation }) => operation === 'create');
  if (isFiltered) return <Empty title="No record fulfils these filters." />;
  return (
    <Empty title="There is none yet.">
      {about.graphiql && create && (
        <p>
          <a href={`${pathOf('graphql')}#operation=${create.name}`}>Create one in GraphiQL</a>
        </p>
      )}
      <p className="soft">
        The command <code>records seed</code> fills an empty database with sample records.
      </p>
    </Empty>
  );
}

/** Lines are listed by what they belong to. */
function ParentForm({ type, parent, onChange }: { type: TypeAbout; parent?: string; onChange(parent: string): void }) {
  const [id, setId] = useState(parent ?? '');
  const field = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim()) onChange(id.trim());
  };
  const owner = type.ofAnyRecord ? 'the record' : `the ${type.parents.map(({ model }) => model).join(' or ')}`;
  return (
    <form className="card parent-form" onSubmit={submit}>
      <label htmlFor={field}>Id of {owner} that they are lines of</label>
      <div className="sign-in-row">
        <input id={field} value={id} onChange={(event) => setId(event.target.value)} />
        <button type="submit" className="main">
          Show its lines
        </button>
      </div>
    </form>
  );
}
