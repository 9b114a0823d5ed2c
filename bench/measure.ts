import type { Load } from './load/load.js';
import type { Facts } from './load/requests.js';
import type { Place } from './place.js';
import { forgetWrites, type RunningSystem, supply } from './running-system.js';
import type { SystemName } from './systems.js';
import { familyMillis, forgetPeak, peakMegabytes, processorMillis } from './usage.js';
import type { Workload, WorkloadName } from './workloads.js';

/** One system under one workload for some seconds. */
export interface Measurement {
  round: number;
  workload: WorkloadName;
  system: SystemName;
  connections: number;
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Milliseconds of processor time per request, in the server and in PostgreSQL's processes. */
  serverMillis?: number;
  databaseMillis?: number;
  peakMegabytes?: number;
  /** The size of an answer on the wire. */
  bytes: number;
  errors: number;
  error?: string;
  /** The load of the load's processor, 0 to 1. */
  loadBusy: number;
}

export interface Bench {
  place: Place;
  load: Load;
  facts: Facts;
  seconds: number;
}

/** Runs one measurement with the records it needs, and deletes what it wrote. */
export async function measure(
  { place, load, facts, seconds }: Bench,
  system: RunningSystem,
  workload: Workload,
  connections: number,
  round: number,
): Promise<Measurement> {
  const { name } = workload;
  if (workload.supply) await supply(system, workload.supply);
  const servers = [system.server, ...(system.others ?? [])];
  const databasePid = system.provider === 'postgresql' ? await place.postgresqlPid() : undefined;
  const pids = [...servers.map(({ pid }) => pid), ...(system.workers ?? [])];
  const used = () => ({
    server: total(pids.map(processorMillis)),
    database: databasePid === undefined ? undefined : familyMillis(databasePid),
  });

  for (const pid of pids) forgetPeak(pid);
  const before = used();
  const ports = servers.map(({ port }) => port);
  const result = await load.run({ system: system.name, workload: name, facts, ports, connections, seconds });
  const after = used();
  const peak = total(pids.map(peakMegabytes));
  if (workload.writes) await forgetWrites(system);

  const each = (end?: number, start?: number) =>
    end === undefined || start === undefined ? undefined : (end - start) / result.allRequests;
  return {
    round,
    workload: name,
    system: system.name,
    connections,
    requestsPerSecond: result.requests / result.seconds,
    p50: result.p50,
    p99: result.p99,
    serverMillis: each(after.server, before.server),
    databaseMillis: each(after.database, before.database),
    peakMegabytes: peak,
    bytes: result.bytes,
    errors: result.errors,
    error: result.error,
    loadBusy: result.busy,
  };
}

function total(figures: readonly (number | undefined)[]): number | undefined {
  return figures.reduce((sum, figure) => (sum === undefined || figure === undefined ? undefined : sum + figure), 0);
}
