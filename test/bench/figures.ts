/**
 * The committed figures of the gateway: test/bench/figures.json. After an intended change, `BENCH_FIGURES=write npx
 * vitest run test/bench` writes the new figures; the diff then shows what the change costs.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { WorkloadName } from '../../bench/workloads.js';
import type { Provider } from '../../src/database/migrations/migration-history.js';

export interface Figures {
  /** The cost of one request: SQL statements, newly prepared statements, bytes of the answer on the wire. */
  requests: Record<Provider, Partial<Record<WorkloadName, RequestFigures>>>;
  /** Instructions of the gateway's process for one request on SQLite, as valgrind counts them. */
  instructions: Partial<Record<WorkloadName, number>>;
}

export interface RequestFigures {
  statements: number;
  prepared: number;
  bytes: number;
}

export const isWriting = process.env.BENCH_FIGURES === 'write';

export function committedFigures(): Figures {
  return JSON.parse(readFileSync(file, 'utf8'));
}

export function writeFigures(change: (figures: Figures) => void): void {
  const figures = committedFigures();
  change(figures);
  writeFileSync(file, `${JSON.stringify(figures, undefined, 2)}\n`);
}

const file = new URL('figures.json', import.meta.url);
