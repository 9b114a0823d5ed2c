/**
 * Measures all systems under all workloads in interleaved rounds, so that slow changes of the machine affect all alike.
 */

import { comparisonText } from '../comparison-text.js';
import type { Amounts } from '../data.js';
import { Load } from '../load/load.js';
import { type Bench, type Measurement, measure } from '../measure.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { type RunningSystem, startSystem } from '../running-system.js';
import { type StatementFigures, statementsOf } from '../statements.js';
import { summaryOf } from '../summary.js';
import { canRun, type SystemName } from '../systems.js';
import { verify } from '../verify.js';
import { type Workload, workloadOf } from '../workloads.js';

export async function compare(options: Options): Promise<void> {
  const amounts: Amounts = { repairs: options.rows, quotations: 2_000 };
  const workloads = options.only.map(workloadOf);
  const facts = { ...amounts, cursor: '' };
  const bench: Bench = { place: new Place(), load: new Load(), facts, seconds: options.seconds };
  try {
    const { systems, skipped } = await startAll(options, bench.place, amounts);
    await verify(systems, workloads, facts);
    const statements: Partial<Record<SystemName, StatementFigures>> = {};
    for (const system of systems) {
      const its = workloads.filter((workload) => canRun(system, workload));
      statements[system.name] = await statementsOf(system.name, bench.place, its, facts);
    }
    for (const system of systems) {
      const its = workloads.filter((workload) => canRun(system, workload));
      await warmUp(bench, system, its, options.warmUp);
    }
    const measurements = await runRounds(bench, systems, workloads, options);
    const lines = summaryOf(measurements);
    const file = writeResults('compare', { options, skipped, statements, summary: lines, measurements });
    progressEnds();
    console.log(comparisonText(lines, statements, measurements));
    for (const word of skipped) console.log(word);
    console.log(`\nEverything measured: ${file}`);
  } finally {
    bench.load.close();
    await bench.place.close();
  }
}

async function startAll({ systems: names, logLevel }: Options, place: Place, amounts: Amounts) {
  const systems: RunningSystem[] = [];
  const skipped: string[] = [];
  for (const name of names) {
    try {
      systems.push(await startSystem(name, place, amounts, { logLevel }));
    } catch (error) {
      // PostGraphile needs a network to be installed; without it, the other systems are still measured.
      if (name !== 'postgraphile') throw error;
      skipped.push(`${name} was left out: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { systems, skipped };
}

async function warmUp(bench: Bench, system: RunningSystem, workloads: readonly Workload[], seconds: number) {
  for (const workload of workloads) {
    progress(`Warming up ${system.name}: ${workload.name}`);
    await measure({ ...bench, seconds }, system, workload, 32, 0);
  }
}

async function runRounds(
  bench: Bench,
  systems: readonly RunningSystem[],
  workloads: readonly Workload[],
  { rounds, connections }: Options,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (let round = 1; round <= rounds; round++) {
    for (const workload of workloads) {
      for (const count of connections) {
        // Each round begins with another system, so that none is always the first after a pause.
        for (const system of rotated(systems, round)) {
          if (!canRun(system, workload)) continue;
          progress(`Round ${round} of ${rounds}: ${workload.name} at ${count}, ${system.name}`);
          measurements.push(await measure(bench, system, workload, count, round));
        }
      }
    }
  }
  return measurements;
}

function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % Math.max(1, items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
