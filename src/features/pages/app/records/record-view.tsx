import type { FieldAbout } from '../../about.js';
import { Link } from '../ui/link.js';
import { formFields, linesIn, type RecordValues } from './draft.js';
import { isLongText } from './field-input.js';
import type { RecordProps } from './props.js';
import { cellClass, labelOf, Value } from './value.js';

/** A record as it is read: first what it holds, and what is empty on demand. */
export function RecordView({ type, record, about }: RecordProps) {
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
        const own = about.types.find((other) => other.model === model);
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
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">Line</th>
          {shown.map((field) => (
            <th key={field.name} scope="col" className={cellClass(field)}>
              {labelOf(field.name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line, index) => (
          <tr key={line.id}>
            <th scope="row">
              <Link to={`records/${slug}/${line.id}`}>{index + 1}</Link>
            </th>
            {shown.map((field) => (
              <td key={field.name} data-label={labelOf(field.name)} className={cellClass(field)}>
                <Value field={field} value={line[field.name]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
