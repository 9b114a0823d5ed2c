/**
 * The goals of the gateway at 32 connections: how many times less processor time a request must take than with another
 * system in the same run. The time of PostgreSQL is counted with that of the server. Requests per second are no goal,
 * because they also depend on what else runs on the machine.
 */
import type { Base, Line } from './summary.js';
import type { SystemName } from './systems.js';
import { figure } from './table.js';
import { type WorkloadName, workloadNames } from './workloads.js';

type Goals = Partial<Record<WorkloadName, number>>;

/** On SQLite, beside the floor. */
const besideFloor: Goals = {
  W1: 2.8,
  W2: 1.8,
  W2b: 1.9,
  W3: 2.5,
  W4: 2.6,
  W4b: 2.1,
  W5: 4.5,
  W6: 2.1,
  W7: 2.1,
  W8: 1.5,
  W8b: 1.5,
  W9: 1.5,
  W10: 1.5,
  W11: 1.5,
  W12: 1.5,
};

/** On PostgreSQL, beside PostGraphile: the same for all workloads that it can run. */
const besidePostgraphile: Goals = Object.fromEntries(workloadNames.map((name) => [name, 2]));

/** How many times as much processor time the gateway may need with its journal as without. */
const withJournal: Goals = { W5: 1.35, W7: 1.15 };

/** One line for each goal: the wanted and the measured value. Workloads that were not measured are left out. */
export function goalsText(lines: readonly Line[]): string {
  const told = lines
    .filter(({ connections }) => connections === 32)
    .flatMap((line) => [
      ...goal(line, 'gateway-sqlite', 'floor', besideFloor),
      ...goal(line, 'gateway-postgresql', 'postgraphile', besidePostgraphile),
      ...costOfJournal(line, 'journal-sqlite', 'gateway-sqlite'),
      ...costOfJournal(line, 'journal-postgresql', 'gateway-postgresql'),
    ]);
  return told.join('\n');
}

function goal(line: Line, system: SystemName, base: Base, goals: Goals): string[] {
  const wanted = goals[line.workload];
  const found = line.beside[base]?.processor?.median;
  if (line.system !== system || wanted === undefined || found === undefined) return [];
  return [`${found >= wanted ? '✓' : '✗'} ${line.workload} ${system}: ${figure(found)} × ${base}, wanted ${wanted}`];
}

function costOfJournal(line: Line, system: SystemName, base: Base): string[] {
  const most = withJournal[line.workload];
  const share = line.beside[base]?.processor?.median;
  if (line.system !== system || most === undefined || share === undefined) return [];
  const cost = 1 / share;
  return [`${cost <= most ? '✓' : '✗'} ${line.workload} ${system}: ${figure(cost)} × ${base}, wanted at most ${most}`];
}
