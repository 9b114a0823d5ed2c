/** The requests of a workload as bytes, built before the measurement; the same in every round. */
import { type Amounts, recordId, suppliedId } from '../data.js';
import type { HttpRequest, Phrases, Subject } from '../phrases/phrases.js';
import { benchKey } from '../server-process.js';
import type { Operation, Supply, Workload } from '../workloads.js';

/** What the requests depend on in the data. */
export interface Facts extends Amounts {
  /** A cursor in the middle of the asset repairs; '' if none is needed. */
  cursor: string;
}

/** The number of records that requests are about. */
const RECORDS = 500;

/**
 * All requests that can be sent once, or those that are repeated: two about each record, with different values, because
 * a write that is sent twice in succession would change nothing the second time.
 */
export function requestsOf({ phrases }: { phrases: Phrases }, workload: Workload, facts: Facts): Buffer[] {
  const { mix, supply, isSentOnce } = workload;
  const random = randomNumbers();
  const records = Array.from({ length: supply?.repairs ?? RECORDS }, (_, index) => ({
    operation: drawn(mix, random()),
    subject: supply ? suppliedSubject(facts, supply, index) : subjectOf(facts, random()),
  }));
  return [...records, ...(isSentOnce ? [] : records)].map(({ operation, subject }, turn) =>
    bytesOf(phrases.request(operation, { ...subject, turn })),
  );
}

/** The subject of a request; `random`, from 0 to 1, selects the record. */
export function subjectOf({ repairs, cursor }: Facts, random: number): Subject {
  return {
    id: recordId('AssetRepair', 1 + Math.floor(random * repairs)),
    offset: Math.floor(repairs * 0.9),
    middle: Math.floor(repairs / 2),
    cursor,
    consumedItems: [],
    turn: 0,
  };
}

/** The subject of a request about a supplied record; the first has the index 0. */
export function suppliedSubject(facts: Facts, { consumedItems }: Supply, index: number): Subject {
  return {
    ...subjectOf(facts, 0),
    id: suppliedId('AssetRepair', 1 + index),
    consumedItems: Array.from({ length: consumedItems }, (_, line) =>
      suppliedId('AssetRepairConsumedItem', 1 + index * consumedItems + line),
    ),
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
