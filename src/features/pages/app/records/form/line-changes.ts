/** What is done to many cells of the lines at once: pasted, and moved. */
import type { FieldAbout } from '../../../about.js';
import type { Line } from './draft.js';

/** The cells of a copied part of a spreadsheet; undefined for a text that is one cell. */
export function cellsIn(copied: string): string[][] | undefined {
  const text = copied.replace(/\r\n?/g, '\n').replace(/\n$/, '');
  if (!/[\t\n]/.test(text)) return undefined;
  const rows: string[][] = [[]];
  // A cell with line ends or tabs is in quotes, and its own quotes stand twice.
  for (const [, cell = '', end] of `${text}\n`.matchAll(/("(?:[^"]|"")*"(?=[\t\n])|[^\t\n]*)([\t\n])/gy)) {
    rows.at(-1)?.push(/^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

/** The lines with cells in the place of those from `row` on, in these fields; as many lines are added as are needed. */
export function pastedInto(
  lines: readonly Line[],
  cells: readonly string[][],
  row: number,
  fields: readonly FieldAbout[],
  newLine: () => Line,
): Line[] {
  const all = [...lines];
  for (const [offset, texts] of cells.entries()) {
    const line = all[row + offset] ?? newLine();
    const pasted = fields
      .slice(0, texts.length)
      .map(({ name, type }, index) => [name, heldText(type, texts[index] ?? '')]);
    all[row + offset] = { ...line, fields: { ...line.fields, ...Object.fromEntries(pasted) } };
  }
  return all;
}

/** Spreadsheets write TRUE and FALSE. */
const heldText = (type: FieldAbout['type'], text: string): string => {
  if (type !== 'Boolean') return text.trim() === '' ? '' : text;
  return /^(true|yes|1)$/i.test(text.trim()) ? 'true' : /^(false|no|0)$/i.test(text.trim()) ? 'false' : '';
};

/** The lines with one of them in another place. */
export function moved(lines: Line[], from: number, to: number): Line[] {
  if (from === to) return lines;
  const others = lines.filter((_, index) => index !== from);
  const line = lines[from];
  return line ? [...others.slice(0, to), line, ...others.slice(to)] : others;
}
