import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { askAll, readWithKey, useAbout } from '../../api/graphql.js';
import { wordsFor } from '../../api/problems.js';
import { goTo, lastSeen, pathOf, useTitle } from '../../router.js';
import { Link, Loading, Trouble } from '../../ui/controls.js';
import { later } from '../../ui/later.js';
import { StateBadge } from '../../ui/state-bar.js';
import { showToast } from '../../ui/toast.js';
import { CopyBar } from '../copy-bar.js';
import type { RecordValues } from '../form/draft.js';
import { Star } from '../list/recent.js';
import { shortened, When } from '../list/rows.js';
import { recordOperation } from '../operations.js';
import { ActionBar } from './action-bar.js';
import { DeletedRecord, useMakeAgain } from './deleted-record.js';
import { History } from './history.js';
import { noticeOf } from './past.js';
import { RecordView } from './record-view.js';
import { addressOfRecord, ParentLink, parentOf, useRelations } from './relations.js';

const RecordForm = later(async () => (await import('../form/record-form.js')).RecordForm);

/** One record: its fields and lines, what can be done with it, and its history. */
export function RecordPage({ type, id }: { type: TypeAbout; id: string }) {
  const about = useAbout();
  const queries = useQueryClient();
  // The record as it was when somebody began to edit it: read again, it may hold what others have saved, and a form that
  // took its version would save over that without a word.
  const [edited, setEdited] = useState<RecordValues>();
  const [said, setSaid] = useState(() => noticeOf(id));
  const operation = recordOperation(type, id, about);
  const { data, error, refetch } = useQuery({
    queryKey: ['record', type.model, id],
    queryFn: async ({ signal }) => ({
      record: (await askAll<Record<string, RecordValues | null>>(operation, signal))[type.one],
    }),
  });
  const record = edited ?? data?.record;
  // Where the keyboard goes on when the form or the dialog it was in is gone.
  const saying = useRef<HTMLParagraphElement>(null);
  const isShown = !!record;
  useEffect(() => {
    if (said && isShown) saying.current?.focus();
  }, [said, isShown]);
  // The form is there when somebody presses Edit, also where the gateway is out of reach by then.
  useEffect(RecordForm.ahead, []);
  const again = useMakeAgain(type);
  const related = useRelations(type, id, data?.record?.version);
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
  /** Back to the list; of a line, to its document. A record can be made again from what the journal has of it. */
  const deleted = () => {
    const parent = parentOf(type, related);
    queries.removeQueries(readWithKey);
    goTo(pathOf(parent ? addressOfRecord(about, parent.model, parent.id) : lastSeen(`records/${type.slug}`)));
    const undo = () =>
      again?.(record.id, record.version).catch((error: unknown) =>
        showToast({ words: 'Not made again', detail: wordsFor(error), isBad: true }),
      );
    const back = parent && about.history ? '. An earlier version of the document has it still.' : '';
    showToast({
      words: 'Deleted',
      detail: title + back,
      ...(again ? { action: { words: 'Undo', onPress: () => void undo() } } : {}),
    });
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
                Line {String(record.idx)}{' '}
                {parentOf(type, related) || !record.parentId ? (
                  <ParentLink type={type} related={related} />
                ) : (
                  `of ${record.parentType} ${record.parentId}`
                )}{' '}
                ·{' '}
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
        <CopyBar operation={operation} />
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
            canMakeAgain={!!again}
            onEdit={() => {
              setSaid(undefined);
              setEdited(record);
            }}
            onDone={changed}
            onRefused={() => void queries.invalidateQueries(readWithKey)}
            onDeleted={deleted}
          />
          <RecordView {...props} related={related} />
        </>
      )}
      {about.history && type.kind !== 'child' && <History {...props} id={record.id} onRestored={changed} />}
    </>
  );
}

function titleOf(type: TypeAbout, record: RecordValues): string {
  if (type.kind === 'singleton') return type.title;
  return shortened(String(record.displayTitle ?? record.id));
}
