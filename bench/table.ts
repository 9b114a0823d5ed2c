import type { Spread } from './spread.js';

/** Formats rows as a Markdown table, aligned for terminals: the left columns flush left, figures flush right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], leftColumns = 1): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => padded(cells[column] ?? '', width, column)).join(' | ')} |`;
  const padded = (text: string, width: number, column: number) =>
    column < leftColumns ? text.padEnd(width) : text.padStart(width);
  const rule = `|${widths.map((width, column) => (column < leftColumns ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

/** Three significant digits, or all before the point: 0.0123, 1.23, 12.3, 1,234. */
export function figure(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  const digits = value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return value.toFixed(digits);
}

/** Such as `1.23 (1.20–1.31)`. */
export function spreadText(spread: Spread | undefined): string {
  if (!spread) return '–';
  return `${spread.median.toFixed(2)} (${spread.least.toFixed(2)}–${spread.most.toFixed(2)})`;
}
