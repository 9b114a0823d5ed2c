/** What the bench and its load process tell each other. */
import type { SystemName } from '../systems.js';
import type { WorkloadName } from '../workloads.js';
import type { Facts } from './requests.js';

export interface LoadOrder {
  system: SystemName;
  workload: WorkloadName;
  facts: Facts;
  /** Of the servers; connections are spread over them. */
  ports: readonly number[];
  connections: number;
  seconds: number;
}

export interface LoadResult {
  /** Answered within the measured time. */
  requests: number;
  /** Answered in all, the moment before the measured time included. */
  allRequests: number;
  /** The measured time, in seconds. */
  seconds: number;
  /** In milliseconds; 0 where nothing was answered. */
  p50: number;
  p99: number;
  /** Bytes of an answer on the wire, on average. */
  bytes: number;
  /** Answers that are no success, and connections that were lost. */
  errors: number;
  /** The first of them. */
  error?: string;
  /** How busy the load's processor was, 0 to 1: near 1 it may be what was measured. */
  busy: number;
}
