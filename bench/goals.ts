/** The goals of the gateway at 32 connections. */
import type { Base, Line } from './summary.js';
import type { SystemName } from './systems.js';
import { figure } from './table.js';
import type { WorkloadName } from './workloads.js';

/** On SQLite: the lowest acceptable ratio of requests per second to those of the floor. */
const besideFloor: Partial<Record<WorkloadName, number>> = {
  W1: 2.5,
  W2: 1.5,
  W2b: 1.2,
  W3: 2,
  W4: 2,
  W4b: 1.6,
  W5: 1.2,
};

/**
 * On PostgreSQL: the lowest acceptable ratio to PostGraphile. Creates are compared by processor time of server and
 * database.
 */
const besidePostgraphile: Partial<Record<WorkloadName, number>> = {
  W1: 1.5,
  W2: 1.5,
  W2b: 1.5,
  W3: 1.5,
  W4: 1.5,
  W4b: 1.5,
  W5: 1,
  W6: 1,
};

/** One line for each goal: the wanted and the measured value. Workloads that were not measured are left out. */
export function goalsText(lines: readonly Line[]): string {
  const told = lines
    .filter(({ connections }) => connections === 32)
    .flatMap((line) => [
      ...goal(line, 'gateway-sqlite', 'floor', besideFloor),
      ...goal(line, 'gateway-postgresql', 'postgraphile', besidePostgraphile),
    ]);
  return told.join('\n');
}

function goal(line: Line, system: SystemName, base: Base, goals: Partial<Record<WorkloadName, number>>): string[] {
  const wanted = goals[line.workload];
  if (line.system !== system || wanted === undefined) return [];
  const isCreate = line.workload === 'W5' || line.workload === 'W6';
  const by = base === 'postgraphile' && isCreate ? 'processor' : 'requests';
  const found = line.beside[base]?.[by]?.median;
  if (found === undefined) return [];
  const measure = by === 'processor' ? 'processor time' : 'requests';
  return [
    `${found >= wanted ? '✓' : '✗'} ${line.workload} ${system}: ${figure(found)} × ${base} by ${measure}, wanted ${wanted}`,
  ];
}
