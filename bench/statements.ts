/** Counts SQL statements per request. Separate from the measurements, because counting takes time. */
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Provider } from '../src/database/migrations/migration-history.js';
import type { StatementCounts } from './count-statements.js';
import type { Amounts } from './data.js';
import { Connection } from './load/connection.js';
import { type Facts, requestsOf } from './load/requests.js';
import type { Place } from './place.js';
import { postgresqlWire } from './postgresql-wire.js';
import { progress } from './progress.js';
import { forgetWrites, supply } from './running-system.js';
import { type ServerProcess, startServer } from './server-process.js';
import { type System, type SystemName, systemOf } from './systems.js';
import type { Workload, WorkloadName } from './workloads.js';

/** Statements per request on average, and how many of them were newly prepared. */
export type StatementFigures = Partial<Record<WorkloadName, StatementCounts>>;

const WARM_UP = 20;
const COUNTED = 100;

export async function statementsOf(
  name: SystemName,
  place: Place,
  workloads: readonly Workload[],
  facts: Facts,
): Promise<StatementFigures> {
  progress(`Counting the statements of ${name}`);
  const system = systemOf(name);
  const counting = await startCounting(system, place, facts);
  const figures: StatementFigures = {};
  try {
    for (const workload of workloads) {
      const requests = requestsOf(system, workload, facts);
      if (workload.supply) await supply(counting, workload.supply);
      await send(counting.server, requests.slice(0, WARM_UP));
      const before = await counting.counts();
      await send(counting.server, requests.slice(WARM_UP, WARM_UP + COUNTED));
      const after = await counting.counts();
      figures[workload.name] = {
        statements: (after.statements - before.statements) / COUNTED,
        prepared: (after.prepared - before.prepared) / COUNTED,
      };
      if (workload.writes) await forgetWrites(counting);
    }
  } finally {
    await counting.stop();
  }
  return figures;
}

interface Counting {
  databaseUrl: string;
  provider: Provider;
  server: ServerProcess;
  counts(): Promise<StatementCounts>;
  stop(): Promise<void>;
}

async function startCounting(system: System, place: Place, amounts: Amounts): Promise<Counting> {
  const databaseUrl = await place.database(system.provider, amounts);
  await system.prepare?.(databaseUrl);
  if (system.provider === 'postgresql') {
    const wire = await postgresqlWire(databaseUrl);
    const server = await startServer({ command: system.command(), databaseUrl: wire.url });
    return {
      databaseUrl,
      provider: system.provider,
      server,
      counts: async () => ({ ...wire.counts }),
      stop: async () => {
        await server.stop();
        wire.close();
      },
    };
  }
  const [node = '', ...rest] = system.command();
  const counter = fileURLToPath(new URL('count-statements-process.js', import.meta.url));
  const server = await startServer({ command: [node, '--import', counter, ...rest], databaseUrl });
  return {
    databaseUrl,
    provider: system.provider,
    server,
    counts: async () => {
      server.child.send('counts');
      const [counts] = await once(server.child, 'message');
      return counts;
    },
    stop: server.stop,
  };
}

async function send({ port }: ServerProcess, requests: readonly Buffer[]): Promise<void> {
  const connection = new Connection(port);
  for (const request of requests) await connection.send(request);
  connection.close();
}
