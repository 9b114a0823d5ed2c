import { goalsText } from './goals.js';
import type { Measurement } from './measure.js';
import type { StatementFigures } from './statements.js';
import type { Line } from './summary.js';
import type { SystemName } from './systems.js';
import { figure, spreadText, table } from './table.js';

/** The output of a comparison: the table, the goals, and reasons to doubt the figures. */
export function comparisonText(
  lines: readonly Line[],
  statements: Partial<Record<SystemName, StatementFigures>>,
  measurements: readonly Measurement[],
): string {
  const rows = lines.map((line) => columns.map(([, cell]) => cell(line, statements[line.system] ?? {})));
  const head = columns.map(([title]) => title);
  return [table(head, rows, 3), goalsText(lines), ...doubts(measurements)].filter(Boolean).join('\n\n');
}

const columns: [title: string, cell: (line: Line, statements: StatementFigures) => string][] = [
  ['', ({ workload }) => workload],
  ['at', ({ connections }) => String(connections)],
  ['system', ({ system }) => system],
  ['req/s', ({ requestsPerSecond }) => figure(requestsPerSecond?.median)],
  ['÷ floor', ({ beside }) => spreadText(beside.floor?.requests)],
  ['by CPU', ({ beside }) => spreadText(beside.floor?.processor)],
  ['÷ PostGraphile', ({ beside }) => spreadText(beside.postgraphile?.requests)],
  ['by CPU', ({ beside }) => spreadText(beside.postgraphile?.processor)],
  ['p50 ms', ({ p50 }) => figure(p50?.median)],
  ['p99 ms', ({ p99 }) => figure(p99?.median)],
  ['CPU ms', ({ serverMillis }) => figure(serverMillis?.median)],
  ['DB CPU ms', ({ databaseMillis }) => figure(databaseMillis?.median)],
  ['peak MB', ({ peakMegabytes }) => figure(peakMegabytes?.most)],
  ['bytes', ({ bytes }) => figure(bytes?.median)],
  ['SQL', ({ workload }, statements) => figure(statements[workload]?.statements)],
  ['prepared', ({ workload }, statements) => figure(statements[workload]?.prepared)],
  ['errors', ({ errors }) => String(errors)],
];

function doubts(measurements: readonly Measurement[]): string[] {
  const failed = measurements.find(({ error }) => error !== undefined);
  const busy = measurements.filter(({ loadBusy }) => loadBusy > 0.9).map((one) => `${one.system} ${one.workload}`);
  return [
    failed ? `The first error (${failed.system}, ${failed.workload}): ${failed.error}` : '',
    busy.length > 0 ? `The load itself was at its limit: ${[...new Set(busy)].join(', ')}` : '',
  ];
}
