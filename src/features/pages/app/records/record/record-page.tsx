import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { readWithKey, useAbout } from '../../api/graphql.js';
import { lastSeen, useTitle } from '../../router.js';
import { Link, Loading, Trouble } from '../../ui/controls.js';
import { later } from '../../ui/later.js';
import { StateBadge } from '../../ui/state-bar.js';
import { CopyBar } from '../copy-bar.js';
import type { RecordValues } from '../form/draft.js';
import { Star } from '../list/recent.js';
import { When } from '../list/rows.js';
import { recordOperation } from '../operations.js';
import { ActionBar, titleOf } from './action-bar.js';
import { DeletedRecord, notices } from './deleted-record.js';
import { History } from './history.js';
import { readRecord } from './past.js';
import { RecordView } from './record-view.js';
import { ParentLink, useRelations } from './relations.js';

const RecordForm = later(async () => (await import('../form/record-form.js')).RecordForm);

/** One record: its fields and lines, what can be done with it, and its history. */
export function RecordPage({ type, id }: { type: TypeAbout; id: string }) {
  const about = useAbout();
  const queries = useQueryClient();
  // The record as it was when somebody began to edit it: read again, it may hold what others have saved, and a form that
  // took its version would save over that without a word.
  const [edited, setEdited] = useState<RecordValues>();
  const [said, setSaid] = useState(() => notices.get(id));
  const { data, error, refetch } = useQuery({
    queryKey: ['record', type.model, id],
    queryFn: ({ signal }) => readRecord(type, id, about, signal),
  });
  const record = edited ?? data;
  // Where the keyboard goes on when the form or the dialog it was in is gone.
  const saying = useRef<HTMLParagraphElement>(null);
  const isShown = !!record;
  useEffect(() => {
    if (said && isShown) saying.current?.focus();
  }, [said, isShown]);
  // The form is there when somebody presses Edit, also where the gateway is out of reach by then.
  useEffect(RecordForm.ahead, []);
  const related = useRelations(type, id, data?.version);
  const title = record ? titleOf(type, record) : id;
  useTitle(title === type.title ? title : `${title} · ${type.title}`);
  if (error && !edited) return <Trouble error={error} retry={refetch} />;
  if (record === undefined) return <Loading lines={8} />;
  if (!record) return <DeletedRecord type={type} id={id} />;

  const leave = (words: string) => {
    setSaid({ words });
    setEdited(undefined);
  };
  /** The record is read again before it is shown, and so are the lists, counts and histories in which it shows. */
  const changed = async (words: string) => {
    await queries.invalidateQueries(readWithKey);
    leave(words);
  };
  const props = { type, record };
  return (
    <>
      <div className="records-head">
        <div>
          <p className="crumbs">
            <Link to="records">Records</Link> / <Link to={lastSeen(`records/${type.slug}`)}>{type.title}</Link>
          </p>
          <h1>
            <bdi>{title}</bdi>{' '}
            {type.hasStates && typeof record.status === 'string' && <StateBadge state={record.status} />}
          </h1>
          <p className="soft">
            {type.kind === 'child' && (
              <>
                Line {String(record.idx)} <ParentLink {...{ type, record, related }} /> ·{' '}
              </>
            )}
            <Star slug={type.slug} id={record.id} /> <code>{record.id}</code> · version {record.version}
            {typeof record.updatedAt === 'string' && (
              <>
                {' '}
                · changed <When at={record.updatedAt} />
              </>
            )}
          </p>
        </div>
        <CopyBar operation={recordOperation(type, id, about)} />
      </div>
      <p className="said" role="status" ref={saying} tabIndex={-1}>
        {said?.words}
      </p>
      {edited ? (
        <Suspense fallback={<Loading lines={8} />}>
          <RecordForm
            {...props}
            onSaved={(version) => changed(`Saved as version ${version}.`)}
            onCancel={() => leave('Nothing was changed.')}
            onReload={() => void changed('This is the newer one.')}
          />
        </Suspense>
      ) : (
        <>
          <ActionBar
            {...props}
            related={related}
            onEdit={() => {
              setSaid(undefined);
              setEdited(record);
            }}
            onDone={changed}
          />
          <RecordView {...props} related={related} />
        </>
      )}
      {about.history && type.kind !== 'child' && <History {...props} id={record.id} onRestored={changed} />}
    </>
  );
}
