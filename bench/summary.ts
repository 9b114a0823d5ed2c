/** The summary of all rounds: one line for each system and workload. */
import type { Measurement } from './measure.js';
import { type Spread, spreadOf } from './spread.js';
import { type SystemName, systemNames, systemOf } from './systems.js';
import { type WorkloadName, workloadNames } from './workloads.js';

export interface Line {
  workload: WorkloadName;
  connections: number;
  system: SystemName;
  rounds: number;
  requestsPerSecond?: Spread;
  p50?: Spread;
  p99?: Spread;
  serverMillis?: Spread;
  databaseMillis?: Spread;
  peakMegabytes?: Spread;
  bytes?: Spread;
  errors: number;
  /** Requests per second relative to another system in the same round. */
  beside: Partial<Record<Base, Ratio>>;
}

export interface Ratio {
  requests?: Spread;
  /**
   * The other system's processor time per request (server and database) divided by this one's: above 1, this one needs
   * less.
   */
  processor?: Spread;
}

export const bases = ['floor', 'postgraphile', 'gateway-sqlite', 'gateway-postgresql'] as const;
export type Base = (typeof bases)[number];

export function summaryOf(measurements: readonly Measurement[]): Line[] {
  const groups = new Map<string, Measurement[]>();
  for (const measurement of measurements) {
    const key = keyOf(measurement, measurement.system);
    groups.set(key, [...(groups.get(key) ?? []), measurement]);
  }
  const lines = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [lineOf(first, group, (base) => groups.get(keyOf(first, base)) ?? [])] : [];
  });
  return lines.sort((one, other) => placeOf(one) - placeOf(other));
}

/** Sorts by workload, then connections, then system. */
function placeOf({ workload, connections, system }: Line): number {
  return workloadNames.indexOf(workload) * 1e6 + connections * 100 + systemNames.indexOf(system);
}

/** Processor milliseconds per request, in server and database together. */
export function processorOf({ serverMillis, databaseMillis }: Measurement): number | undefined {
  return serverMillis === undefined ? undefined : serverMillis + (databaseMillis ?? 0);
}

function lineOf(first: Measurement, group: Measurement[], of: (base: Base) => Measurement[]): Line {
  const spread = (read: (measurement: Measurement) => number | undefined) => spreadOf(group.map(read));
  return {
    workload: first.workload,
    connections: first.connections,
    system: first.system,
    rounds: group.length,
    requestsPerSecond: spread((measurement) => measurement.requestsPerSecond),
    p50: spread(({ p50 }) => p50),
    p99: spread(({ p99 }) => p99),
    serverMillis: spread(({ serverMillis }) => serverMillis),
    databaseMillis: spread(({ databaseMillis }) => databaseMillis),
    peakMegabytes: spread(({ peakMegabytes }) => peakMegabytes),
    bytes: spread(({ bytes }) => bytes),
    errors: group.reduce((sum, { errors }) => sum + errors, 0),
    beside: Object.fromEntries(
      bases
        .filter((base) => isComparable(first.system, base) && of(base).length > 0)
        .map((base) => [base, ratioOf(group, of(base))]),
    ),
  };
}

/** PostGraphile is compared only with systems on PostgreSQL, and the gateway with the one that keeps a journal. */
function isComparable(system: SystemName, base: Base): boolean {
  if (base.startsWith('gateway-')) return system === base.replace('gateway-', 'journal-');
  return system !== base && (base === 'floor' || systemOf(system).provider === systemOf(base).provider);
}

function ratioOf(group: readonly Measurement[], base: readonly Measurement[]): Ratio {
  const byRound = (ratio: (own: Measurement, other: Measurement) => number | undefined) =>
    spreadOf(
      group.map((own) => {
        const other = base.find(({ round }) => round === own.round);
        return other && ratio(own, other);
      }),
    );
  return {
    requests: byRound((own, other) =>
      other.requestsPerSecond > 0 ? own.requestsPerSecond / other.requestsPerSecond : undefined,
    ),
    processor: byRound((own, other) => {
      const [mine, its] = [processorOf(own), processorOf(other)];
      return mine && its ? its / mine : undefined;
    }),
  };
}

const keyOf = ({ workload, connections }: Measurement, system: SystemName) => `${workload} ${connections} ${system}`;
