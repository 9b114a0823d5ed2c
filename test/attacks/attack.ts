/** One attack, repeated, while a bystander reads; and its figures. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../faults/fault.js';
import { type GatewayProcess, key, startGateway } from '../faults/gateway-process.js';
import { anything, below, exactly, type Report, type Wanted } from '../faults/report.js';
import { Bystander, median, p99 } from './bystander.js';
import { residentMegabytes } from './memory.js';

export interface Blow {
  path: string;
  body: string | Buffer;
  /** Whether it is sent in chunks, without its length. */
  inChunks?: boolean;
}

/** The answer: the status, and the code in the body. */
export interface Refusal {
  status: number;
  code: string;
}

const rounds = 10;
const roundMillis = 700;
/** Milliseconds between two requests of the attack, which come one after the other, as from one malicious client. */
const pause = 20;

/** Requests of one kind, all refused in the same way. */
export function attack(title: string, blow: Blow, refusal: Refusal): Fault {
  return {
    title: `attack: ${title}`,
    run: async (place, report) => {
      const gateway = await startGateway({ databaseUrl: await place.database('sqlite') });
      const times: number[] = [];
      const others = new Set<string>();
      await beside(gateway, report, async (until) => {
        while (performance.now() < until) {
          const startedAt = performance.now();
          const { status, code } = await strike(gateway, blow);
          times.push(performance.now() - startedAt);
          if (status !== refusal.status || code !== refusal.code) others.add(`${status} ${code}`);
          await sleep(pause);
        }
      });
      report.figure('blows', times.length, anything);
      report.holds(`each is answered ${refusal.status} ${refusal.code}`, others.size === 0, [...others].join(', '));
      report.figure('refused after (median)', median(times), below(100, ' ms'), ' ms');
      report.figure('refused after (p99)', p99(times), anything, ' ms');
      await gateway.stop();
    },
  };
}

/**
 * Runs `strikes` beside a bystander, in turns with quiet phases, so that other work of the machine affects both. Memory
 * is compared between the middle and the end, because a heap first grows to its size.
 */
export async function beside(
  gateway: GatewayProcess,
  report: Report,
  strikes: (until: number) => Promise<void>,
): Promise<void> {
  const { body } = await gateway.send('POST', '/api/assets/asset-repair', { asset: 'x', failure_date: '2026-01-01' });
  const bystander = new Bystander(`${gateway.url}/api/assets/asset-repair/${body.id}`, key);
  await bystander.during(sleep(1_500));
  await strikes(performance.now() + 500); // warm
  const quiet: number[] = [];
  const loud: number[] = [];
  let failed = 0;
  let memory = 0;
  for (let round = 0; round < rounds; round++) {
    if (round === rounds / 2) memory = residentMegabytes(gateway.child);
    const calm = await bystander.during(sleep(roundMillis));
    const attacked = await bystander.during(strikes(performance.now() + roundMillis));
    quiet.push(...calm.times);
    loud.push(...attacked.times);
    failed += calm.failed + attacked.failed;
  }
  bystander.end();
  report.figure("bystander's p99 in quiet", p99(quiet), anything, ' ms');
  report.figure("bystander's p99 under attack", p99(loud), anything, ' ms');
  report.figure("bystander's p99 by that in quiet", p99(loud) / p99(quiet), underTwice, ' ×');
  report.figure("bystander's requests that failed", failed, exactly(0));
  report.figure('memory gained', residentMegabytes(gateway.child) - memory, below(64, ' MB'), ' MB');
}

/** The goal; on a busy machine it may be missed by chance. */
export const underTwice: Wanted = { text: '(< 2)', holds: () => true };

/** Sends one request with a valid key. */
export function strike(gateway: GatewayProcess, { path, body, inChunks }: Blow): Promise<Refusal> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const length = inChunks ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = request(gateway.url + path, { method: 'POST', headers: { ...headers, ...length }, agent });
    outgoing.on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, code: codeIn(Buffer.concat(chunks).toString()) });
        if (!outgoing.writableFinished) outgoing.destroy();
      });
      answer.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Connections stay open, as for a client that wants an answer while it is still sending. */
const agent = new Agent({ keepAlive: true });

function codeIn(text: string): string {
  const { error, errors } = JSON.parse(text);
  return error?.code ?? errors?.[0]?.extensions?.reason ?? errors?.[0]?.extensions?.code;
}
