/**
 * Compares two gateways over one PostgreSQL with a single one: processor time per request over all processes. They may
 * use every processor, with few connections: on busy processors, processes interrupt each other and evict each other's
 * caches, which would hide the cost to be measured.
 */
import { Load } from '../load/load.js';
import { type Bench, type Measurement, measure } from '../measure.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { release } from '../processors.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { startSystem } from '../running-system.js';
import { startServer } from '../server-process.js';
import { spreadOf } from '../spread.js';
import { processorOf } from '../summary.js';
import { figure, spreadText, table } from '../table.js';
import { type WorkloadName, workloadOf } from '../workloads.js';

const names: WorkloadName[] = ['W1', 'W2', 'W4', 'W5', 'W6', 'W7'];
/** Over both gateways. */
const connections = 8;

export async function twoProcesses(options: Options): Promise<void> {
  const facts = { repairs: options.rows, quotations: 10, cursor: '' };
  const bench: Bench = { place: new Place(), load: new Load(), facts, seconds: options.seconds };
  const [alone, together]: [Measurement[], Measurement[]] = [[], []];
  try {
    // Releases the server before the gateways connect, because each connection is a process that inherits its
    // processors.
    await bench.place.emptyDatabase('postgresql');
    const postgresql = await bench.place.postgresqlPid();
    if (postgresql !== undefined) release(postgresql);
    const one = await startSystem('gateway-postgresql', bench.place, facts, options);
    const env = { LOG_LEVEL: options.logLevel };
    const second = await startServer({ command: one.command(), databaseUrl: one.databaseUrl, env });
    const two = { ...one, others: [second] };
    for (const { pid } of [one.server, second]) release(pid);
    for (let round = 0; round <= options.rounds; round++) {
      for (const name of names) {
        progress(`Round ${round} of ${options.rounds}: ${name}`);
        // Round 0 warms up.
        const now = round === 0 ? { ...bench, seconds: options.warmUp } : bench;
        const measured = [
          await measure(now, one, workloadOf(name), connections, round),
          await measure(now, two, workloadOf(name), connections, round),
        ] as const;
        if (round === 0) continue;
        alone.push(measured[0]);
        together.push(measured[1]);
      }
    }
  } finally {
    bench.load.close();
    await bench.place.close();
  }
  const file = writeResults('two-processes', { options, alone, together });
  progressEnds();
  const rows = names.map((name) => {
    const [first, both] = [alone, together].map((all) => all.filter(({ workload }) => workload === name));
    const costs = (both ?? []).map((measurement, index) => {
      const [before, after] = [first?.[index] && processorOf(first[index]), processorOf(measurement)];
      return before && after ? after / before : undefined;
    });
    const millis = (all: Measurement[] = []) => figure(spreadOf(all.map(processorOf))?.median);
    const errors = [...(first ?? []), ...(both ?? [])].reduce((sum, measurement) => sum + measurement.errors, 0);
    return [name, millis(first), millis(both), spreadText(spreadOf(costs)), String(errors)];
  });
  const head = ['', 'CPU ms with one', 'with two', 'two ÷ one', 'errors'];
  console.log(`${table(head, rows)}\n\nEverything measured: ${file}`);
}
