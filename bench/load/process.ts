/** The load process: started by `load.ts`, which sends it orders. Ends with the bench. */
import { systemOf } from '../systems.js';
import { workloadOf } from '../workloads.js';
import type { LoadOrder } from './protocol.js';
import { requestsOf } from './requests.js';
import { runLoad } from './run-load.js';

const made = new Map<string, Buffer[]>();

process.on('message', async (order: LoadOrder) => {
  const { system, workload, facts } = order;
  const key = JSON.stringify([system, workload, facts]);
  const requests = made.get(key) ?? requestsOf(systemOf(system), workloadOf(workload), facts);
  made.set(key, requests);
  process.send?.(await runLoad(order, requests));
});

process.on('disconnect', () => process.exit(0));
