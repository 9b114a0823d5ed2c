import type { TypeAbout } from '../../about.js';
import { Link } from '../ui/link.js';
import { StateBadge } from '../ui/state-bar.js';
import { columnsOf } from './operations.js';
import { cellClass, labelOf, shortened, Value, When } from './value.js';

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
