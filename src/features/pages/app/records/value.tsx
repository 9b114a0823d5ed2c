import type { FieldAbout } from '../../about.js';
import { StateBadge } from '../ui/state-bar.js';
import { numberText } from './number.js';

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
