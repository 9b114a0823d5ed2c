/** Values as people read them, wherever they stand. */
import type { FieldAbout } from '../../../about.js';
import type { Column } from '../../ui/controls.js';
import { clockText } from '../../ui/date-field.js';
import { StateBadge } from '../../ui/state-bar.js';
import { numberText, type RecordValues } from '../form/draft.js';

/** How many decimals the numbers of a column have: the most of them, so that none is shown as another number. */
export function decimalsOf(field: FieldAbout, rows: readonly Readonly<Record<string, unknown>>[]): number {
  const lengths = rows.map((row) => /^-?\d+\.(\d{1,6})$/.exec(String(row[field.name]))?.[1]?.length ?? 0);
  return lengths.reduce((most, length) => Math.max(most, length), field.numberKind === 'money' ? 2 : 0);
}

/** The columns of fields in these rows. */
export const fieldColumns = (fields: readonly FieldAbout[], rows: readonly RecordValues[]): Column<RecordValues>[] =>
  fields.map((field) => {
    const decimals = decimalsOf(field, rows);
    return {
      label: labelOf(field.name),
      className: cellClass(field),
      cell: (row) => <Value field={field} value={row[field.name]} decimals={decimals} />,
    };
  });

interface ValueProps {
  field?: FieldAbout | undefined;
  value: unknown;
  /** Of an amount, where the record says it. */
  currency?: unknown;
  /** At least so many decimals, so that numbers stand one below the other by their points. */
  decimals?: number | undefined;
}

/** A value as people read it. */
export function Value({ field, value, currency, decimals = field?.numberKind === 'money' ? 2 : 0 }: ValueProps) {
  if (value === null || value === undefined || value === '') return <span className="soft">—</span>;
  if (field?.isState) return <StateBadge state={String(value)} />;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number') {
    const text = numberText(value, decimals);
    return <>{typeof currency === 'string' && currency ? `${currency} ${text}` : text}</>;
  }
  // A day stays on one line, where a text may break at its hyphens.
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)) return <time dateTime={value}>{value}</time>;
  if (field?.formats && typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return <When at={value} />;
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
export const cellClass = ({ type }: FieldAbout): string | undefined =>
  type === 'Float' || type === 'Int' ? 'number' : undefined;

/** `repairCost` → `Repair cost`. */
export function labelOf(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

/** An instant by the clock of the reader, in the form of the days beside it. */
export function When({ at }: { at: string }) {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return <time dateTime={at}>{clockText(date)}</time>;
}

/** Whether the numbers of a field add up to something that means anything: those of rates and percentages do not. */
export const isSummed = ({ name, type, numberKind }: FieldAbout): boolean =>
  (type === 'Int' || type === 'Float') && numberKind !== 'percentage' && !/rate|idx|factor|level/i.test(name);
