import { type QueryFilters, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { TypeAbout } from '../../about.js';
import { pathOf } from '../addresses.js';
import { askAll } from '../api/graphql.js';
import { goTo } from '../router.js';
import { Link } from '../ui/link.js';
import { Empty, Loading, Trouble } from '../ui/notice.js';
import { StateBadge } from '../ui/state-bar.js';
import { useTitle } from '../ui/title.js';
import { ActionBar } from './action-bar.js';
import { CopyBar } from './copy-bar.js';
import type { RecordValues } from './draft.js';
import { History } from './history.js';
import { columnsOf, recordOperation } from './operations.js';
import type { RecordProps } from './props.js';
import { RecordForm } from './record-form.js';
import { RecordView } from './record-view.js';
import { shortened, When } from './value.js';

/** One record: its fields and lines, what can be done with it, and its history. */
export function RecordPage({ type, id, recordKey, about }: Omit<RecordProps, 'record'> & { id: string }) {
  const queries = useQueryClient();
  // The record as it was when somebody began to edit it: read again, it may hold what others have saved, and a form that
  // took its version would save over that without a word.
  const [edited, setEdited] = useState<RecordValues>();
  const [said, setSaid] = useState('');
  // Where the keyboard goes on when the form or the dialog it was in is gone.
  const saying = useRef<HTMLParagraphElement>(null);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (left > 0) saying.current?.focus();
  }, [left]);
  const operation = recordOperation(type, id, about.types);
  const { data, error, refetch } = useQuery({
    queryKey: ['record', type.model, id],
    queryFn: async ({ signal }) => {
      const { query, variables } = operation;
      const found = await askAll<Record<string, RecordValues | null>>(recordKey, query, variables, signal);
      return { record: found[type.one] };
    },
  });
  const record = edited ?? data?.record;
  const title = record ? titleOf(type, record) : id;
  useTitle(title === type.title ? title : `${title} · ${type.title}`);
  if (error && !edited) return <Trouble error={error} retry={() => void refetch()} />;
  if (record === undefined) return <Loading lines={8} />;
  if (!record) {
    return (
      <Empty title={`There is no ${type.title} with the id “${id}”.`}>
        <Link to={`records/${type.slug}`}>See those there are</Link>
      </Empty>
    );
  }

  const leave = (words: string) => {
    setSaid(words);
    setEdited(undefined);
    setLeft((count) => count + 1);
  };
  /** The record is read again before it is shown: what is known of it is no longer true. */
  const changed = async (words: string) => {
    await queries.invalidateQueries(ofRecords);
    leave(words);
  };
  const props = { type, record, recordKey, about };
  return (
    <>
      <div className="records-head">
        <div>
          <p className="crumbs">
            <Link to="records">Records</Link> / <Link to={`records/${type.slug}`}>{type.title}</Link>
          </p>
          <h1>
            <bdi>{title}</bdi>{' '}
            {type.hasStates && typeof record.status === 'string' && <StateBadge state={record.status} />}
          </h1>
          <p className="soft">
            <code>{record.id}</code> · version {record.version}
            {typeof record.updatedAt === 'string' && (
              <>
                {' '}
                · changed <When at={record.updatedAt} />
              </>
            )}
          </p>
        </div>
        <CopyBar operation={operation} />
      </div>
      <p className="said" role="status" ref={saying} tabIndex={-1}>
        {said}
      </p>
      {edited ? (
        <RecordForm
          {...props}
          onSaved={(version) => changed(`Saved as version ${version}.`)}
          onCancel={() => leave('Left as it was.')}
          onReload={() => void changed('This is the newer one.')}
        />
      ) : (
        <>
          <ActionBar
            {...props}
            onEdit={() => {
              setSaid('');
              setEdited(record);
            }}
            onDone={changed}
            onRefused={() => void queries.invalidateQueries(ofRecords)}
            onDeleted={() => {
              queries.removeQueries(ofRecords);
              goTo(pathOf(`records/${type.slug}`));
            }}
          />
          <RecordView {...props} />
        </>
      )}
      {about.history && type.kind !== 'child' && <History {...props} />}
    </>
  );
}

/** All that was read of records: a change of one shows in lists, counts and histories too. */
const ofRecords: QueryFilters = { predicate: ({ queryKey }) => queryKey[0] !== 'about' };

function titleOf(type: TypeAbout, record: RecordValues): string {
  if (type.kind === 'singleton') return type.title;
  const [first] = columnsOf(type);
  const title = record.displayTitle ?? (first && record[first.name]);
  return shortened(String(title && title !== record.id ? title : ((first && record[first.name]) ?? record.id)));
}
