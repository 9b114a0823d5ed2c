/** An attack that sends one malicious request again and again. */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../faults/fault.js';
import { type GatewayProcess, key, startGateway } from '../faults/gateway-process.js';
import { anything, below } from '../faults/report.js';
import { runInPhases } from './attack-phases.js';
import { median, p99 } from './bystander.js';

export interface PostRequest {
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

/** Milliseconds between two requests of the attack, which come one after the other, as from one malicious client. */
const pause = 20;

/** The attack with this request, which the gateway must refuse in the same way each time. */
export function repeatedRequest(title: string, post: PostRequest, refusal: Refusal): Fault {
  return {
    title: `attack: ${title}`,
    run: async (place, report) => {
      const gateway = await startGateway({ databaseUrl: await place.database('sqlite') });
      const times: number[] = [];
      const others = new Set<string>();
      await runInPhases(gateway, report, async (until) => {
        while (performance.now() < until) {
          const startedAt = performance.now();
          const { status, code } = await sendPost(gateway, post);
          times.push(performance.now() - startedAt);
          if (status !== refusal.status || code !== refusal.code) others.add(`${status} ${code}`);
          await sleep(pause);
        }
      });
      report.figure('requests', times.length, anything);
      report.holds(`each is answered ${refusal.status} ${refusal.code}`, others.size === 0, [...others].join(', '));
      report.figure('refused after (median)', median(times), below(100, ' ms'), ' ms');
      report.figure('refused after (p99)', p99(times), anything, ' ms');
      await gateway.stop();
    },
  };
}

/** Sends one request with a valid key. */
export function sendPost(gateway: GatewayProcess, { path, body, inChunks }: PostRequest): Promise<Refusal> {
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
