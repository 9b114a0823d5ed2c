/** The requests of a workload as bytes, built before the measurement; the same in every round. */
import type { Amounts } from '../data.js';
import { recordId } from '../data.js';
import type { HttpRequest, Phrases, Subject } from '../phrases/phrases.js';
import { benchKey } from '../server-process.js';
import type { Operation, Workload } from '../workloads.js';

/** What the requests depend on in the data. */
export interface Facts extends Amounts {
  /** A cursor in the middle of the asset repairs; '' if none is needed. */
  cursor: string;
}

/** The number of different requests, which are then repeated. */
const HOW_MANY = 1_000;

export function requestsOf({ phrases }: { phrases: Phrases }, { mix }: Pick<Workload, 'mix'>, facts: Facts): Buffer[] {
  const random = randomNumbers();
  return Array.from({ length: HOW_MANY }, () => {
    const operation = drawn(mix, random());
    return bytesOf(phrases.request(operation, subjectOf(facts, random())));
  });
}

/** The subject of a request; `random`, from 0 to 1, selects the record. */
export function subjectOf({ repairs, cursor }: Facts, random: number): Subject {
  return {
    id: recordId('AssetRepair', 1 + Math.floor(random * repairs)),
    offset: Math.floor(repairs * 0.9),
    cursor,
  };
}

export function bytesOf({ method, path, body }: HttpRequest): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${benchKey}`,
    'Accept: application/json',
    ...(text ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`] : []),
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`);
}

function drawn(mix: Workload['mix'], random: number): Operation {
  let left = random * 100;
  for (const [operation, parts] of mix) {
    left -= parts;
    if (left < 0) return operation;
  }
  throw new Error('A mix has a hundred parts');
}

/** The same sequence at every run (a linear congruential generator). */
function randomNumbers(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
