/** What the gateway has to reach, at 32 connections. */
import type { Base, Line } from './summary.js';
import type { SystemName } from './systems.js';
import { figure } from './table.js';
import type { WorkloadName } from './workloads.js';

/** The least requests a second, as a ratio to those of the floor on SQLite. */
const besideFloor: Partial<Record<WorkloadName, number>> = {
  W1: 2.5,
  W2: 1.5,
  W2b: 1.2,
  W3: 2,
  W4: 2,
  W4b: 1.6,
  W5: 1.2,
};

/** On PostgreSQL, to those of PostGraphile; creates are compared by the processor time of server and database. */
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

/** One line a goal: what was wanted, what it is. Nothing for what was not measured. */
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
