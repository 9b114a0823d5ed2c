import type { FieldAbout, TypeAbout } from '../../about.js';
import { Link } from '../ui/controls.js';
import { StateBadge } from '../ui/state-bar.js';
import { numberText } from './draft.js';
import { columnsOf } from './operations.js';

export type Row = { id: string; status?: string; updatedAt?: string } & Record<string, unknown>;

interface Props {
  type: TypeAbout;
  rows: Row[];
  order: string | undefined;
  onOrder(order: string | undefined): void;
}

/** The rows of a list: a table, and on a small screen a card for each. */
export function Rows({ type, rows, order, onOrder }: Props) {
  const [first, ...others] = columnsOf(type);
  const heading = (name: string) => <Heading name={name} order={order} onOrder={onOrder} />;
  return (
    <table className="rows">
      <thead>
        <tr>
          {first && heading(first.name)}
          {type.hasStates && heading('status')}
          {others.map((field) => (
            <Heading key={field.name} name={field.name} className={cellClass(field)} order={order} onOrder={onOrder} />
          ))}
          {type.kind !== 'child' && heading('updatedAt')}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              <Link to={`records/${type.slug}/${row.id}`}>
                {shortened(String(first ? (row[first.name] ?? row.id) : row.id))}
              </Link>
            </th>
            {type.hasStates && row.status !== undefined && (
              <td data-label="Status">
                <StateBadge state={row.status} />
              </td>
            )}
            {others.map((field) => (
              <td key={field.name} data-label={labelOf(field.name)} className={cellClass(field)}>
                <Value field={field} value={shortValue(row[field.name])} />
              </td>
            ))}
            {row.updatedAt && (
              <td data-label="Updated at">
                <When at={row.updatedAt} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const shortValue = (value: unknown): unknown => (typeof value === 'string' ? shortened(value) : value);

interface HeadingProps extends Pick<Props, 'order' | 'onOrder'> {
  name: string;
  className?: string | undefined;
}

function Heading({ name, className, order, onOrder }: HeadingProps) {
  const sort = order === name ? 'ascending' : order === `-${name}` ? 'descending' : undefined;
  const next = sort === undefined ? name : sort === 'ascending' ? `-${name}` : undefined;
  return (
    <th scope="col" className={className} aria-sort={sort}>
      <button type="button" className="quiet" onClick={() => onOrder(next)}>
        {labelOf(name)}
        <span aria-hidden="true">{sort === 'ascending' ? ' ↑' : sort === 'descending' ? ' ↓' : ''}</span>
      </button>
    </th>
  );
}

/** A value as people read it. */
export function Value({ field, value }: { field?: FieldAbout; value: unknown }) {
  if (value === null || value === undefined || value === '') return <span className="soft">—</span>;
  if (field?.isState) return <StateBadge state={String(value)} />;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') return <>{numberText(value)}</>;
  // A day stays on one line, where a text may break at its hyphens.
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return <time dateTime={value}>{value}</time>;
  return <>{typeof value === 'string' ? value : JSON.stringify(value)}</>;
}

/** The most characters of a text among others: one of a megabyte would take the page to draw. */
const most = 200;

/** The beginning of a long text, for where its whole is a link away. */
export const shortened = (text: string): string =>
  text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;

/** The class of the cells of a field: numbers stand one below the other by their last figures. */
export const cellClass = ({ type }: FieldAbout): string | undefined =>
  type === 'Float' || type === 'Int' ? 'number' : undefined;

/** `repairCost` → `Repair cost`. */
export function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** An instant as this person writes it. */
export function When({ at }: { at: string }) {
  const text = new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return <time dateTime={at}>{text}</time>;
}
