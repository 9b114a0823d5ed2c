import { Fragment } from 'react';
import { type FieldAbout, listsOf, type TypeAbout } from '../../../about.js';
import { useAbout } from '../../api/graphql.js';
import { useMay } from '../../session/viewer.js';
import { type Column, Link, Table } from '../../ui/controls.js';
import { formFields, groupsIn, linesIn, type RecordProps, type RecordValues } from '../form/draft.js';
import { fieldColumns, isLongText, labelOf } from '../list/rows.js';
import { LinkedValue, NamedBy, type Related } from './relations.js';

interface ViewProps extends RecordProps {
  related?: Related | undefined;
  /** Its lines lead nowhere then. */
  isDeleted?: boolean | undefined;
}

/** A record as it is read: first what it holds, and what is empty on demand. */
export function RecordView({ type, record, related, isDeleted }: ViewProps) {
  const about = useAbout();
  const may = useMay();
  const isEmpty = ({ name }: FieldAbout) => record[name] === null || record[name] === '';
  const filled = groupsIn(type)
    .map(({ heading, fields }) => ({ heading, fields: fields.filter((field) => !isEmpty(field)) }))
    .filter(({ fields }) => fields.length > 0);
  const empty = type.fields.filter(isEmpty);
  return (
    <>
      <section className="card" aria-label="Fields">
        {filled.map(({ heading, fields }) => (
          <Fragment key={heading}>
            {filled.length > 1 && <h2>{heading}</h2>}
            <dl className="values">
              {fields.map((field) => (
                <div
                  key={field.name}
                  title={field.description}
                  className={isLongText(record[field.name]) ? 'long' : undefined}
                >
                  <dt>{labelOf(field.name)}</dt>
                  <dd>
                    <LinkedValue {...{ field, record, related }} />
                  </dd>
                </div>
              ))}
            </dl>
          </Fragment>
        ))}
        {empty.length > 0 && (
          <details className="empty-fields">
            <summary>{empty.length === 1 ? 'One empty field' : `${empty.length} empty fields`}</summary>
            <p className="soft">{empty.map(({ name }) => labelOf(name)).join(', ')}</p>
          </details>
        )}
      </section>
      {listsOf(type, about).map(({ own, field, description }) => (
        <section key={field} className="card rows-card" aria-label={labelOf(field)}>
          <h2>{labelOf(field)}</h2>
          <p className="soft">
            {description}{' '}
            {!isDeleted && may(own, 'CREATE') !== false && (
              <Link to={`records/${own.slug}/new?parent=${record.id}`}>Add one</Link>
            )}
          </p>
          <Lines lines={linesIn(record, field)} related={related?.[field]} {...{ own, isDeleted }} />
        </section>
      ))}
      <NamedBy {...{ type, record, related }} />
    </>
  );
}

/** Lines as a table, without the columns that are empty in all of them. */
function Lines({ own, lines, related, isDeleted }: LinesProps) {
  if (lines.length === 0) return <p className="soft">No lines.</p>;
  const shown = formFields(own).filter(({ name }) => lines.some((line) => line[name] !== null && line[name] !== ''));
  const place: Column<RecordValues> = {
    label: 'Line',
    cell: ({ id }, index) => (isDeleted ? index + 1 : <Link to={`records/${own.slug}/${id}`}>{index + 1}</Link>),
  };
  const ways = new Map<string, Related>(Array.isArray(related) ? related.map((line) => [line.id, line]) : []);
  const columns = fieldColumns(shown, lines).map((column, index): Column<RecordValues> => {
    const field = shown[index];
    if (!field?.link) return column;
    return { ...column, cell: (record) => <LinkedValue {...{ field, record, related: ways.get(record.id) }} /> };
  });
  return <Table columns={[place, ...columns]} rows={lines} keyOf={({ id }) => id} />;
}

interface LinesProps extends Pick<ViewProps, 'isDeleted'> {
  own: TypeAbout;
  lines: RecordValues[];
  /** What the lines name, as it was read. */
  related: unknown;
}
