/** Measures what is refused beside what is right, in the same form and of the same size: processor time and silence. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../load/connection.js';
import { mistakes, right } from '../mistakes.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { type ServerProcess, startServer } from '../server-process.js';
import { spreadOf } from '../spread.js';
import { type SystemName, systemOf } from '../systems.js';
import { figure, table } from '../table.js';
import { processorMillis } from '../usage.js';

/** The most processor time of a refusal, as a multiple of that of what is right. */
const wantedRatio = 3;

interface Measured {
  status: number;
  hasErrors: boolean;
  answerBytes: number;
  /** Milliseconds of processor time. */
  millis: number | undefined;
  /** Milliseconds for which `/healthz` did not answer. */
  silence: number;
}

interface Figures {
  system: SystemName;
  surface: string;
  kind: string;
  beside: string;
  wrong: Measured;
  right: Measured;
}

export async function wrong({ systems, rounds, logLevel }: Options): Promise<void> {
  const place = new Place();
  const results: Figures[] = [];
  try {
    for (const system of systems.filter((name) => name.startsWith('gateway'))) {
      const { command, provider } = systemOf(system);
      const databaseUrl = await place.emptyDatabase(provider);
      const env = { LOG_LEVEL: logLevel, WEBHOOK_KEY: 'a-key-for-the-signatures-of-the-bench' };
      const server = await startServer({ command: command(), databaseUrl, env });
      for (let round = 0; round <= rounds; round++) {
        progress(`Round ${round} of ${rounds}: ${system}`);
        // Round 0 warms up.
        const measured = await measureAll(system, server);
        if (round > 0) results.push(...measured);
      }
      await server.stop();
    }
  } finally {
    await place.close();
  }
  const file = writeResults('wrong', { results });
  progressEnds();
  console.log(`${textOf(results)}\n\nEverything measured: ${file}`);
}

async function measureAll(system: SystemName, server: ServerProcess): Promise<Figures[]> {
  const measured: Figures[] = [];
  for (const { surface, kind, beside, request } of mistakes()) {
    const refused = await measureOne(server, request);
    const answered = await measureOne(server, right[beside]());
    if (answered.status > 299 || answered.hasErrors) throw new Error(`Refused, though it is right: ${beside}`);
    measured.push({ system, surface, kind, beside, wrong: refused, right: answered });
  }
  return measured;
}

async function measureOne({ pid, port }: ServerProcess, request: Buffer): Promise<Measured> {
  const [connection, health] = [new Connection(port), new Connection(port)];
  let silence = 0;
  let isAnswered = false;
  const listen = async () => {
    while (!isAnswered) {
      const asked = performance.now();
      await health.send(Buffer.from('GET /healthz HTTP/1.1\r\nHost: bench\r\n\r\n'));
      silence = Math.max(silence, performance.now() - asked);
      await sleep(5);
    }
  };
  try {
    const listening = listen();
    const before = processorMillis(pid);
    const reply = await connection.send(request);
    // What is collected and logged afterwards belongs to it.
    await sleep(30);
    const after = processorMillis(pid);
    isAnswered = true;
    await listening;
    const millis = before === undefined || after === undefined ? undefined : after - before;
    return { status: reply.status, hasErrors: reply.hasErrors, answerBytes: reply.bytes, millis, silence };
  } finally {
    connection.close();
    health.close();
  }
}

function textOf(results: readonly Figures[]): string {
  const medianOf = (figures: readonly (number | undefined)[]) => spreadOf(figures)?.median;
  const rows = results.flatMap((first) => {
    const { system, surface, kind, beside, wrong: one } = first;
    const group = results.filter(
      (each) => [each.system, each.surface, each.kind].join() === [system, surface, kind].join(),
    );
    if (group[0] !== first) return [];
    const ratio = medianOf(
      group.map((each) => each.wrong.millis && each.right.millis && each.wrong.millis / each.right.millis),
    );
    const verdict = ratio === undefined ? '' : ratio <= wantedRatio ? '✓' : '✗';
    const millis = (of: 'wrong' | 'right') => figure(medianOf(group.map((each) => each[of].millis)));
    const silence = figure(medianOf(group.map((each) => each.wrong.silence)));
    return [
      [system, surface, kind, beside, millis('wrong'), millis('right'), figure(ratio), verdict, silence].concat(
        String(one.status),
        one.answerBytes.toLocaleString('en'),
      ),
    ];
  });
  const head = ['', '', 'wrong', 'beside', 'CPU ms', 'right', 'ratio', '', 'silence ms', 'status', 'answer bytes'];
  return table(head, rows, 4);
}
