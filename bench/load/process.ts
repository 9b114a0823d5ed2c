/** The load process: started by `load.ts`, which sends it orders. Ends with the bench. */
import { systemOf } from '../systems.js';
import { workloadOf } from '../workloads.js';
import type { LoadOrder } from './protocol.js';
import { requestsOf } from './requests.js';
import { once, repeated, runLoad } from './run-load.js';

/** The requests of each kind of order, and how many of them were sent. */
const made = new Map<string, { requests: Buffer[]; sent: number }>();

process.on('message', async (order: LoadOrder) => {
  const { system, facts } = order;
  const workload = workloadOf(order.workload);
  const key = JSON.stringify([system, workload.name, facts]);
  const kept = made.get(key) ?? { requests: requestsOf(systemOf(system), workload, facts), sent: 0 };
  made.set(key, kept);
  // Supplied records are made anew for each order. Others keep what the last order wrote, which must not be repeated.
  const first = workload.supply ? 0 : kept.sent;
  const result = await runLoad(order, workload.isSentOnce ? once(kept.requests) : repeated(kept.requests, first));
  kept.sent = first + result.allRequests;
  process.send?.(result);
});

process.on('disconnect', () => process.exit(0));
