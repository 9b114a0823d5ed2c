import { recordName } from '../../../../../model/record-name.js';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { type Column, Link, Table } from '../../ui/controls.js';
import { StateBadge } from '../../ui/state-bar.js';
import { numberText, type RecordValues } from '../form/draft.js';
import { columnsOf } from '../operations.js';

export type Row = { id: string; status?: string; updatedAt?: string } & Record<string, unknown>;

interface Props {
  type: TypeAbout;
  rows: Row[];
  order: string | undefined;
  onOrder(order: string | undefined): void;
}

/** The rows of a list. */
export function Rows({ type, rows, order, onOrder }: Props) {
  const [[naming = 'id'] = []] = type.namedBy;
  const sorted = (name: string, cell: Column<Row>['cell'], className?: string): Column<Row> => {
    const sort = order === name ? 'ascending' : order === `-${name}` ? 'descending' : undefined;
    const next = sort === undefined ? name : sort === 'ascending' ? `-${name}` : undefined;
    const label = labelOf(name);
    const heading = (
      <button type="button" className="quiet" onClick={() => onOrder(next)}>
        {label}
        <span aria-hidden="true">{sort === 'ascending' ? ' ↑' : sort === 'descending' ? ' ↓' : ''}</span>
      </button>
    );
    return { label, heading, sort, className, cell };
  };
  const columns = [
    sorted(naming, (row) => (
      <Link to={`records/${type.slug}/${row.id}`}>{shortened(recordName(type, row) || row.id)}</Link>
    )),
    type.hasStates && sorted('status', ({ status = '' }) => <StateBadge state={status} />),
    ...columnsOf(type).map((field) =>
      sorted(field.name, (row) => <Value field={field} value={shortValue(row[field.name])} />, cellClass(field)),
    ),
    type.kind !== 'child' && sorted('updatedAt', ({ updatedAt }) => updatedAt && <When at={updatedAt} />),
  ];
  return <Table columns={columns.filter((column) => !!column)} rows={rows} keyOf={({ id }) => id} />;
}

const shortValue = (value: unknown): unknown => (typeof value === 'string' ? shortened(value) : value);

/** The columns of fields. */
export const fieldColumns = (fields: readonly FieldAbout[]): Column<RecordValues>[] =>
  fields.map((field) => ({
    label: labelOf(field.name),
    className: cellClass(field),
    cell: (row) => <Value field={field} value={row[field.name]} />,
  }));

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

/** Whether a text needs the width of the page. */
export const isLongText = (value: unknown): boolean =>
  typeof value === 'string' && (value.length > 120 || value.includes('\n'));

/** The class of the cells of a field: numbers stand one below the other by their last figures. */
const cellClass = ({ type }: FieldAbout): string | undefined =>
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
