/**
 * Compares a gateway of two workers with one of one, in turns, at as many connections for each worker. Each worker has a fixed
 * share of a processor, because two processors that also carry the load and the database could not show what two workers do.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Load } from '../load/load.js';
import { type Bench, type Measurement, measure } from '../measure.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { ProcessorShares } from '../processor-shares.js';
import { release } from '../processors.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { type RunningSystem, startSystem } from '../running-system.js';
import { spreadOf } from '../spread.js';
import { figure, spreadText, table } from '../table.js';
import { type WorkloadName, workloadOf } from '../workloads.js';

const names: WorkloadName[] = ['W1', 'W2', 'W4'];
const systems = ['gateway-sqlite', 'gateway-postgresql'] as const;
/** Of each worker. */
const connections = 16;

interface Pair {
  one: Measurement;
  two: Measurement;
}

export async function workers(options: Options): Promise<void> {
  const facts = { repairs: options.rows, quotations: 10, cursor: '' };
  const bench: Bench = { place: new Place(), load: new Load(), facts, seconds: options.seconds };
  const shares = new ProcessorShares();
  const pairs: Pair[] = [];
  try {
    await bench.place.emptyDatabase('postgresql');
    const postgresql = await bench.place.postgresqlPid();
    if (postgresql !== undefined) release(postgresql);
    for (const name of systems.filter((each) => options.systems.includes(each))) {
      const alone = await startSystem(name, bench.place, facts, options);
      const crew = await startSystem(name, bench.place, facts, { ...options, workers: 2 });
      // The second worker starts when the first one serves.
      await sleep(3 * crew.server.startMillis);
      const [one, two] = [limited(alone, 1, shares, options), limited(crew, 2, shares, options)];
      for (let round = 0; round <= options.rounds; round++) {
        for (const workload of names.map(workloadOf)) {
          progress(`${name}, round ${round} of ${options.rounds}: ${workload.name}`);
          // Round 0 warms up.
          const now = round === 0 ? { ...bench, seconds: options.warmUp } : bench;
          const pair = {
            one: await measure(now, one, workload, connections, round),
            two: await measure(now, two, workload, 2 * connections, round),
          };
          if (round > 0) pairs.push(pair);
        }
      }
      await Promise.all([alone.server.stop(), crew.server.stop()]);
    }
  } finally {
    bench.load.close();
    shares.end();
    await bench.place.close();
  }
  const file = writeResults('workers', { options, pairs });
  progressEnds();
  const head = ['', 'requests/s of one', 'of two', 'two ÷ one', 'CPU µs with one', 'with two', 'load', 'errors'];
  console.log(`${table(head, rowsOf(pairs), 1)}\n\nEverything measured: ${file}`);
}

/** The system with its workers, each within its share of any processor. */
function limited(
  system: RunningSystem,
  count: number,
  shares: ProcessorShares,
  { share }: Pick<Options, 'share'>,
): RunningSystem {
  const { pid } = system.server;
  const children = count === 1 ? [] : childrenOf(pid);
  if (children.length !== (count === 1 ? 0 : count)) throw new Error(`${children.length} workers instead of ${count}`);
  for (const each of [pid, ...children]) release(each);
  for (const each of count === 1 ? [pid] : children) shares.limit(each, share);
  return { ...system, workers: children };
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

function rowsOf(pairs: readonly Pair[]): string[][] {
  return systems.flatMap((system) =>
    names.flatMap((name) => {
      const found = pairs.filter(({ one }) => one.system === system && one.workload === name);
      if (found.length === 0) return [];
      const median = (read: (pair: Pair) => number | undefined) => figure(spreadOf(found.map(read))?.median);
      const micros = ({ serverMillis }: Measurement) => serverMillis && 1000 * serverMillis;
      return [
        [
          `${name} ${system}`,
          median(({ one }) => one.requestsPerSecond),
          median(({ two }) => two.requestsPerSecond),
          spreadText(spreadOf(found.map(({ one, two }) => two.requestsPerSecond / one.requestsPerSecond))),
          median(({ one }) => micros(one)),
          median(({ two }) => micros(two)),
          median(({ two }) => two.loadBusy),
          String(found.reduce((sum, { one, two }) => sum + one.errors + two.errors, 0)),
        ],
      ];
    }),
  );
}
