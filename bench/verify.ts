import { isDeepStrictEqual } from 'node:util';
import { type Facts, subjectOf } from './load/requests.js';
import type { Json } from './phrases/phrases.js';
import { progress } from './progress.js';
import { ask, forgetWrites, type RunningSystem } from './running-system.js';
import { type Operation, type Workload, writesRecords } from './workloads.js';

/** Sends the same requests to all systems and throws if the JSON of any answer differs from the first system's. */
export async function verify(
  systems: readonly RunningSystem[],
  workloads: readonly Workload[],
  facts: Facts,
): Promise<void> {
  const operations = [...new Set(workloads.flatMap(({ mix }) => mix.map(([operation]) => operation)))];
  // Writing operations come last, because the reads need equal records.
  operations.sort((one, other) => Number(writesRecords(one)) - Number(writesRecords(other)));
  for (const operation of operations) {
    for (const random of [0, 0.31, 0.9999]) await verifyOne(systems, operation, facts, random);
  }
  for (const system of systems) await forgetWrites(system);
}

async function verifyOne(
  systems: readonly RunningSystem[],
  operation: Operation,
  facts: Facts,
  random: number,
): Promise<void> {
  progress(`Comparing the answers: ${operation}`);
  const [first, ...others] = systems;
  if (!first) return;
  const comparable = (answer: Json) => (writesRecords(operation) ? withoutChance(answer) : answer);
  const wanted = comparable(await ask(first, operation, subjectOf(facts, random)));
  for (const other of others) {
    const found = comparable(await ask(other, operation, subjectOf(facts, random)));
    if (!isDeepStrictEqual(found, wanted)) {
      throw new Error(
        `${other.name} answers ${operation} with\n${JSON.stringify(found)}\nand ${first.name} with\n${JSON.stringify(wanted)}`,
      );
    }
  }
}

/** Removes ids and times, which differ between equal writes. */
function withoutChance(answer: Json): Json {
  if (answer === null || typeof answer !== 'object') return answer;
  if (Array.isArray(answer)) return answer.map(withoutChance);
  const kept = Object.entries(answer).filter(([key]) => !/^(id|assetRepairId|(created|updated)(_a|A)t)$/.test(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutChance(value)]));
}
