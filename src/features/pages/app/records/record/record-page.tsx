import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, useEffect, useRef, useState } from 'react';
import { type FieldAbout, type TypeAbout, typeCalled } from '../../../about.js';
import { askAll, readWithKey, useAbout } from '../../api/graphql.js';
import { goTo, lastSeen, pathOf, useTitle } from '../../router.js';
import { type Column, Empty, Link, Loading, Table, Trouble } from '../../ui/controls.js';
import { StateBadge } from '../../ui/state-bar.js';
import { showToast } from '../../ui/toast.js';
import { CopyBar } from '../copy-bar.js';
import { formFields, linesIn, type RecordProps, type RecordValues } from '../form/draft.js';
import { RecordForm } from '../form/record-form.js';
import { Star } from '../list/recent.js';
import { fieldColumns, isLongText, labelOf, shortened, Value, When } from '../list/rows.js';
import { recordOperation } from '../operations.js';
import { ActionBar } from './action-bar.js';
import { type Change, type ChangeGroup, doneWord, historyGroups } from './history-groups.js';

/** One record: its fields and lines, what can be done with it, and its history. */
export function RecordPage({ type, id }: { type: TypeAbout; id: string }) {
  const about = useAbout();
  const queries = useQueryClient();
  // The record as it was when somebody began to edit it: read again, it may hold what others have saved, and a form that
  // took its version would save over that without a word.
  const [edited, setEdited] = useState<RecordValues>();
  const [said, setSaid] = useState<{ words: string }>();
  // Where the keyboard goes on when the form or the dialog it was in is gone.
  const saying = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (said) saying.current?.focus();
  }, [said]);
  const operation = recordOperation(type, id, about);
  const { data, error, refetch } = useQuery({
    queryKey: ['record', type.model, id],
    queryFn: async ({ signal }) => ({
      record: (await askAll<Record<string, RecordValues | null>>(operation, signal))[type.one],
    }),
  });
  const record = edited ?? data?.record;
  const title = record ? titleOf(type, record) : id;
  useTitle(title === type.title ? title : `${title} · ${type.title}`);
  if (error && !edited) return <Trouble error={error} retry={refetch} />;
  if (record === undefined) return <Loading lines={8} />;
  if (!record) {
    return (
      <Empty title={`There is no ${type.title} with the id “${id}”.`}>
        <Link to={`records/${type.slug}`}>See those there are</Link>
      </Empty>
    );
  }

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
        <RecordForm
          {...props}
          onSaved={(version) => changed(`Saved as version ${version}.`)}
          onCancel={() => leave('Nothing was changed.')}
          onReload={() => void changed('This is the newer one.')}
        />
      ) : (
        <>
          <ActionBar
            {...props}
            onEdit={() => {
              setSaid(undefined);
              setEdited(record);
            }}
            onDone={changed}
            onRefused={() => void queries.invalidateQueries(readWithKey)}
            onDeleted={() => {
              queries.removeQueries(readWithKey);
              goTo(pathOf(lastSeen(`records/${type.slug}`)));
              showToast({ words: 'Deleted', detail: title });
            }}
          />
          <RecordView {...props} />
        </>
      )}
      {about.history && type.kind !== 'child' && <History {...props} />}
    </>
  );
}

function titleOf(type: TypeAbout, record: RecordValues): string {
  if (type.kind === 'singleton') return type.title;
  return shortened(String(record.displayTitle ?? record.id));
}

interface Version {
  at: string;
  action: string;
  version: number;
  by: { keyName: string };
  changes: Change[];
}

type Data = Record<string, { history: { nodes: Version[]; pageInfo: { hasNextPage: boolean } } } | null>;

/** Who changed what, the newest first, as far as the journal holds it. */
function History({ type, record }: RecordProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['history', record.id, record.version],
    queryFn: async ({ signal }) => {
      const isOne = type.kind === 'singleton';
      const query = `query ${isOne ? '' : '($id: ID!)'} { ${type.one}${isOne ? '' : '(id: $id)'} {
        history(first: 20) { nodes { at action version by { keyName } changes { path before(names: REST) after(names: REST) action } } pageInfo { hasNextPage } }
      } }`;
      const found = await askAll<Data>({ query, variables: isOne ? {} : { id: record.id } }, signal);
      return found[type.one]?.history ?? { nodes: [], pageInfo: { hasNextPage: false } };
    },
  });
  return (
    <section className="card history" aria-label="History">
      <h2>History</h2>
      {error && <Trouble error={error} retry={refetch} />}
      {data?.nodes.length === 0 && <p className="soft">The journal holds no change of it.</p>}
      <ol>
        {data?.nodes.map(({ version, action, at, by, changes }) => (
          <li key={version}>
            <p>
              <strong>Version {version}</strong> · {doneWord(action)} <span className="soft">by {by.keyName},</span>{' '}
              <span className="soft">
                <When at={at} />
              </span>
            </p>
            {action !== 'CREATE' && <Changes groups={historyGroups(changes, record.id)} />}
          </li>
        ))}
      </ol>
      {data?.pageInfo.hasNextPage && (
        <p className="soft">These are the newest {data.nodes.length}; GraphQL and REST tell the older ones.</p>
      )}
    </section>
  );
}

/** How many changes of one version are shown. */
const most = 12;

function Changes({ groups }: { groups: ChangeGroup[] }) {
  return (
    <ul>
      {groups.slice(0, most).map(({ line, action, changes }) => (
        <li key={line?.id ?? changes[0]?.field} title={line?.id}>
          {line && `${labelOf(line.list)}: a line was ${doneWord(action)}. `}
          {changes.map(({ field, before, after }, index) => (
            <Fragment key={field}>
              {index > 0 && ', '}
              {labelOf(field)}: {!(line && action === 'CREATE') && <Value value={before} />}
              {!(line && (action === 'CREATE' || action === 'DELETE')) && ' → '}
              {!(line && action === 'DELETE') && <Value value={after} />}
            </Fragment>
          ))}
        </li>
      ))}
      {groups.length > most && <li>and {(groups.length - most).toLocaleString('en')} more changes</li>}
    </ul>
  );
}

/** A record as it is read: first what it holds, and what is empty on demand. */
function RecordView({ type, record }: RecordProps) {
  const about = useAbout();
  const isEmpty = ({ name }: FieldAbout) => record[name] === null || record[name] === '';
  const filled = type.fields.filter((field) => !isEmpty(field) && !field.isState);
  const empty = type.fields.filter(isEmpty);
  return (
    <>
      <section className="card" aria-label="Fields">
        <dl className="values">
          {filled.map((field) => (
            <div
              key={field.name}
              title={field.description}
              className={isLongText(record[field.name]) ? 'long' : undefined}
            >
              <dt>{labelOf(field.name)}</dt>
              <dd>
                <Value field={field} value={record[field.name]} />
              </dd>
            </div>
          ))}
        </dl>
        {empty.length > 0 && (
          <details className="empty-fields">
            <summary>{empty.length === 1 ? 'One empty field' : `${empty.length} empty fields`}</summary>
            <p className="soft">{empty.map(({ name }) => labelOf(name)).join(', ')}</p>
          </details>
        )}
      </section>
      {type.lines.map(({ model, field, description }) => {
        const own = typeCalled(about, model);
        return (
          own && (
            <section key={field} className="card rows-card" aria-label={labelOf(field)}>
              <h2>{labelOf(field)}</h2>
              <p className="soft">{description}</p>
              <Lines lines={linesIn(record, field)} fields={formFields(own)} slug={own.slug} />
            </section>
          )
        );
      })}
    </>
  );
}

/** Lines as a table, without the columns that are empty in all of them. */
function Lines({ lines, fields, slug }: { lines: RecordValues[]; fields: FieldAbout[]; slug: string }) {
  if (lines.length === 0) return <p className="soft">No lines.</p>;
  const shown = fields.filter(({ name }) => lines.some((line) => line[name] !== null && line[name] !== ''));
  const place: Column<RecordValues> = {
    label: 'Line',
    cell: ({ id }, index) => <Link to={`records/${slug}/${id}`}>{index + 1}</Link>,
  };
  return <Table columns={[place, ...fieldColumns(shown)]} rows={lines} keyOf={({ id }) => id} />;
}
