/** The result of a run: figures, each with its required value, printed as a table at the end. */

export interface Figure {
  fault: string;
  what: string;
  measured: string;
  wanted: string;
  ok: boolean;
  /** Only shows whether enough was tried for the other figures to be meaningful. */
  isEffort: boolean;
}

/** The required value of a figure. */
export interface Wanted {
  text: string;
  holds(measured: number): boolean;
  isEffort?: boolean;
}

export const exactly = (number: number): Wanted => ({
  text: String(number),
  holds: (measured) => measured === number,
});
export const below = (number: number, unit = ''): Wanted => ({
  text: `< ${number}${unit}`,
  holds: (measured) => measured < number,
});
export const atMost = (number: number): Wanted => ({
  text: `≤ ${number}`,
  holds: (measured) => measured <= number,
});
export const atLeast = (number: number): Wanted => ({
  text: `≥ ${Number.isInteger(number) ? number : number.toFixed(2)}`,
  holds: (measured) => measured >= number,
});
/** The least amount for which the other figures are meaningful: a run with less is repeated. */
export const tried = (number: number): Wanted => ({ ...atLeast(number), isEffort: true });
/** A figure for information, which explains the others. */
export const anything: Wanted = { text: '', holds: () => true };

/** A fault that cannot be caused on this machine, with what it lacks. */
export class Skipped extends Error {}

/** Collects the figures of one fault. */
export class Report {
  readonly figures: Figure[] = [];

  constructor(readonly fault: string) {}

  figure(what: string, measured: number, wanted: Wanted, unit = ''): void {
    this.add(
      what,
      `${Number.isInteger(measured) ? measured : measured.toFixed(2)}${unit}`,
      wanted.text,
      wanted.holds(measured),
      wanted.isEffort,
    );
  }

  /** A statement that is true or not; `found` says what was seen instead. */
  holds(what: string, ok: boolean, found = ''): void {
    this.add(what, ok ? 'yes' : `no ${found}`.trim(), 'yes', ok);
  }

  skipped(why: string): void {
    this.add(`skipped: ${why}`, '–', '', true);
  }

  failed(error: unknown): void {
    this.add(
      'the run itself',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
      'no error',
      false,
    );
  }

  /** Whether too little was tried, and nothing else is wrong. */
  get saysTooLittle(): boolean {
    const deviations = this.figures.filter(({ ok }) => !ok);
    return deviations.length > 0 && deviations.every(({ isEffort }) => isEffort);
  }

  private add(what: string, measured: string, wanted: string, ok: boolean, isEffort = false): void {
    this.figures.push({ fault: this.fault, what, measured, wanted, ok, isEffort });
  }
}

/** The figures as a Markdown table, a line each; deviations are marked. */
export function table(figures: Figure[]): string {
  const rows = figures.map(({ fault, what, measured, wanted, ok }) => [
    fault,
    what,
    measured.split('\n')[0] ?? '',
    wanted,
    ok ? '' : '✗',
  ]);
  const all = [['fault', 'figure', 'measured', 'wanted', ''], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(3, ...all.map((row) => [...(row[column] ?? '')].length)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(all[0] ?? []), rule, ...all.slice(1).map(line)].join('\n');
}
