import { isDeepStrictEqual } from 'node:util';
import { type Facts, subjectOf, suppliedSubject } from './load/requests.js';
import type { Json, Subject } from './phrases/phrases.js';
import { progress } from './progress.js';
import { ask, forgetWrites, type RunningSystem, supply } from './running-system.js';
import { canRun } from './systems.js';
import type { Operation, Supply, Workload } from './workloads.js';

/**
 * Sends the same requests to all systems that have the operation, and throws if the JSON of any answer differs from the
 * first system's. After each change of a supplied record it compares what is stored, with the versions.
 */
export async function verify(
  systems: readonly RunningSystem[],
  workloads: readonly Workload[],
  facts: Facts,
): Promise<void> {
  // Writing workloads come last, because the reads need equal records.
  const ordered = [...workloads].sort((one, other) => Number(one.writes) - Number(other.writes));
  for (const workload of ordered) {
    const able = systems.filter((system) => canRun(system, workload));
    if (workload.supply) await verifySupplied(able, workload, workload.supply, facts);
    else await verifyOperations(able, workload, facts);
  }
  for (const system of systems) await forgetWrites(system);
}

async function verifyOperations(systems: readonly RunningSystem[], { mix, writes }: Workload, facts: Facts) {
  for (const [operation] of mix) {
    for (const random of [0, 0.31, 0.9999]) await verifyOne(systems, operation, subjectOf(facts, random), writes);
  }
}

async function verifySupplied(systems: readonly RunningSystem[], { mix }: Workload, records: Supply, facts: Facts) {
  const few = { ...records, repairs: 3 };
  for (const system of systems) await supply(system, few);
  for (const [operation] of mix) {
    const able = systems.filter(({ phrases }) => phrases.has(operation));
    for (let turn = 0; turn < few.repairs; turn++) {
      const subject = { ...suppliedSubject(facts, few, turn), turn };
      await verifyOne(able, operation, subject, true);
      await verifyOne(able, 'stored', subject, true);
    }
  }
  for (const system of systems) await forgetWrites(system);
}

async function verifyOne(
  systems: readonly RunningSystem[],
  operation: Operation,
  subject: Subject,
  writes: boolean,
): Promise<void> {
  progress(`Comparing the answers: ${operation}`);
  const [first, ...others] = systems.filter(({ phrases }) => phrases.has(operation));
  if (!first) return;
  const comparable = (answer: Json) => withStoredStates(writes ? withoutChance(answer) : answer);
  const wanted = comparable(await ask(first, operation, subject));
  for (const other of others) {
    const found = comparable(await ask(other, operation, subject));
    if (!isDeepStrictEqual(found, wanted)) {
      throw new Error(
        `${other.name} answers ${operation} with\n${JSON.stringify(found)}\nand ${first.name} with\n${JSON.stringify(wanted)}`,
      );
    }
  }
}

/** Names the states of documents as they are stored: the gateway answers with an enum, the others with the text. */
function withStoredStates(answer: Json): Json {
  if (answer === null || typeof answer !== 'object') return answer;
  if (Array.isArray(answer)) return answer.map(withStoredStates);
  return Object.fromEntries(
    Object.entries(answer).map(([key, value]) => [
      key,
      key === 'status' && typeof value === 'string' ? value.toLowerCase() : withStoredStates(value),
    ]),
  );
}

/** Removes ids and times, which differ between equal writes. */
function withoutChance(answer: Json): Json {
  if (answer === null || typeof answer !== 'object') return answer;
  if (Array.isArray(answer)) return answer.map(withoutChance);
  const kept = Object.entries(answer).filter(([key]) => !/^(id|assetRepairId|(created|updated)(_a|A)t)$/.test(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutChance(value)]));
}
