import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type TypeAbout, typeCalled } from '../../../about.js';
import { readWithKey, useAbout } from '../../api/graphql.js';
import { goTo, lastSeen, pathOf, useAddress, useTitle } from '../../router.js';
import { useMay } from '../../session/viewer.js';
import { Empty, Link, Loading, Trouble } from '../../ui/controls.js';
import { showToast } from '../../ui/toast.js';
import { readRecord } from '../record/past.js';
import { draftOf, placingFields, type RecordValues } from './draft.js';
import { RecordForm } from './record-form.js';

/** What is not there yet. */
const nothing: RecordValues = { id: '', version: 0 };

/** The form of a new record; with `?from=` like another one, with `?parent=` as a line of it. */
export function NewRecord({ type }: { type: TypeAbout }) {
  const about = useAbout();
  const may = useMay();
  const { search } = useAddress();
  const from = search.get('from');
  useTitle(`New ${type.title}`);
  const { data, error, refetch } = useQuery({
    queryKey: ['copied', type.model, from],
    enabled: from !== null,
    // Read anew, and once: the form does not change under the hands of whoever fills it.
    gcTime: 0,
    queryFn: ({ signal }) => readRecord(type, from ?? '', about, signal),
  });
  if (type.kind === 'singleton') return <Empty title={`There is only one ${type.title}.`} />;
  if (may(type, 'CREATE') === false) return <Empty title={`You may not make a record of ${type.title}.`} />;
  if (error) return <Trouble error={error} retry={refetch} />;
  if (from !== null && data === undefined) return <Loading lines={8} />;
  if (data === null) return <Empty title={`There is no ${type.title} with the id “${from}” to be duplicated.`} />;
  return (
    <>
      <div className="records-head">
        <div>
          <p className="crumbs">
            <Link to="records">Records</Link> / <Link to={lastSeen(`records/${type.slug}`)}>{type.title}</Link>
          </p>
          <h1>New {type.title}</h1>
          <p className="soft">
            {data ? `With what ${String(data.displayTitle ?? data.id)} holds. ` : ''}Fields with * are required.
          </p>
        </div>
      </div>
      <NewForm key={search.toString()} type={type} like={data} />
    </>
  );
}

function NewForm({ type, like }: { type: TypeAbout; like: RecordValues | undefined }) {
  const about = useAbout();
  const queries = useQueryClient();
  const { search } = useAddress();
  const parent = search.get('parent');
  const [owner] = type.parents.map(({ model }) => typeCalled(about, model));
  const [begun] = useState(() => {
    const draft = draftOf(type, like ?? nothing, about, true);
    // What a line belongs to: the id of that record, and where it may be of several types its type.
    const above = placingFields(type).map(({ name, knownValues }) => [
      name,
      (knownValues.length > 0 ? owner?.title : parent) ?? '',
    ]);
    return parent ? { ...draft, fields: { ...draft.fields, ...Object.fromEntries(above) } } : draft;
  });
  /** Where it goes when the form is gone: before, it would ask about what is typed. */
  const [next, setNext] = useState<string>();
  useEffect(() => {
    if (next !== undefined) goTo(pathOf(next), { replace: true });
  }, [next]);
  if (next !== undefined) return <Loading lines={8} />;
  const above = parent && owner ? `records/${owner.slug}/${parent}` : undefined;
  const leave = () => setNext(above ?? lastSeen(`records/${type.slug}`));
  return (
    <RecordForm
      type={type}
      record={nothing}
      begun={begun}
      onCancel={leave}
      onReload={leave}
      onSaved={async (_, id) => {
        await queries.invalidateQueries(readWithKey);
        showToast({ words: 'Created', detail: type.title });
        setNext(above ?? `records/${type.slug}/${id}`);
      }}
    />
  );
}
