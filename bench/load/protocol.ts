/** Messages between the bench and its load process. */
import type { SystemName } from '../systems.js';
import type { WorkloadName } from '../workloads.js';
import type { Facts } from './requests.js';

export interface LoadOrder {
  system: SystemName;
  workload: WorkloadName;
  facts: Facts;
  /** The ports of the servers; connections are distributed over them. */
  ports: readonly number[];
  connections: number;
  seconds: number;
}

export interface LoadResult {
  /** Answered within the measured time. */
  requests: number;
  /** All answered requests, including those before the measured time. */
  allRequests: number;
  /** The measured time, in seconds: as ordered, or until the last answer if there were no more requests. */
  seconds: number;
  /** In milliseconds; 0 if nothing was answered. */
  p50: number;
  p99: number;
  /** The mean size of an answer on the wire. */
  bytes: number;
  /** Failed answers and lost connections. */
  errors: number;
  /** The first error. */
  error?: string;
  /** The load of its processor, 0 to 1; near 1, the load itself may be the bottleneck. */
  busy: number;
}
