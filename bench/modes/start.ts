/** Measures the time from a gateway's start to its first answer, and its memory when idle. */
import { setTimeout as sleep } from 'node:timers/promises';
import { subjectOf } from '../load/requests.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { ask } from '../running-system.js';
import { type ServerProcess, startServer } from '../server-process.js';
import { spreadOf } from '../spread.js';
import { type SystemName, systemOf } from '../systems.js';
import { figure, table } from '../table.js';
import { processorMillis, residentMegabytes } from '../usage.js';

/** Within this time V8 releases memory that only the start needed, even while `/readyz` is polled. */
const IDLE_MILLIS = 60_000;

export async function start({ systems, rounds, rows: repairs, logLevel }: Options): Promise<void> {
  const place = new Place();
  const results: StartFigures[] = [];
  const idle: Idle[] = [];
  try {
    for (const name of systems.filter((system) => system.startsWith('gateway'))) {
      const { provider } = systemOf(name);
      const full = await place.database(provider, { repairs, quotations: 2_000 });
      for (let round = 1; round <= rounds; round++) {
        progress(`Round ${round} of ${rounds}: starting ${name}`);
        idle.push(await startOnce(name, 'all migrations to apply', await place.emptyDatabase(provider), logLevel));
        idle.push(await startOnce(name, 'all migrations applied', full, logLevel));
      }
    }
    progress(`Leaving ${idle.length} gateways alone for ${IDLE_MILLIS / 1000} s`);
    await sleep(IDLE_MILLIS);
    for (const { server, figures } of idle) {
      results.push({ ...figures, idleMegabytes: residentMegabytes(server.pid) });
    }
  } finally {
    await Promise.all(idle.map(({ server }) => server.stop()));
    await place.close();
  }
  const file = writeResults('start', { results });
  progressEnds();
  const titleOf = ({ system, database }: StartFigures) => `${system}, ${database}`;
  const rows = [...new Set(results.map(titleOf))].map((title) => {
    const group = results.filter((result) => titleOf(result) === title);
    const millis = spreadOf(group.map(({ firstAnswerMillis }) => firstAnswerMillis));
    const processor = spreadOf(group.map(({ startProcessorMillis }) => startProcessorMillis));
    const idle = spreadOf(group.map(({ idleMegabytes }) => idleMegabytes));
    return [
      title,
      figure(millis?.median),
      figure(millis?.most),
      figure(processor?.median),
      figure(idle?.median),
      figure(idle?.most),
    ];
  });
  const head = ['', 'first answer ms', 'at most', 'of it CPU ms', 'idle MB', 'at most'];
  console.log(`${table(head, rows)}\n\nEverything measured: ${file}`);
}

interface StartFigures {
  system: SystemName;
  database: string;
  firstAnswerMillis: number;
  /** Milliseconds of processor time until the first answer. */
  startProcessorMillis?: number;
  idleMegabytes?: number;
}

/** A gateway that has given its first answer. */
interface Idle {
  server: ServerProcess;
  figures: StartFigures;
}

async function startOnce(name: SystemName, database: string, databaseUrl: string, logLevel: string): Promise<Idle> {
  const system = systemOf(name);
  const begun = performance.now();
  const server = await startServer({ command: system.command(), databaseUrl, env: { LOG_LEVEL: logLevel } });
  await ask({ ...system, server }, 'page', subjectOf({ repairs: 0, quotations: 0, cursor: '' }, 0));
  const firstAnswerMillis = performance.now() - begun;
  const startProcessorMillis = processorMillis(server.pid);
  return { server, figures: { system: name, database, firstAnswerMillis, startProcessorMillis } };
}
