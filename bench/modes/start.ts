/** How long a gateway takes from its start to its first answer, and what it holds when nothing is asked of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { ask } from '../running-system.js';
import { startServer } from '../server-process.js';
import { spreadOf } from '../spread.js';
import { type SystemName, systemOf } from '../systems.js';
import { figure, table } from '../table.js';
import { processorMillis, residentMegabytes } from '../usage.js';

const IDLE_MILLIS = 5_000;

export async function start({ systems, rounds, rows: repairs, logLevel }: Options): Promise<void> {
  const place = new Place();
  const results: StartFigures[] = [];
  try {
    for (const name of systems.filter((system) => system.startsWith('gateway'))) {
      const { provider } = systemOf(name);
      const full = await place.database(provider, { repairs, quotations: 2_000 });
      for (let round = 1; round <= rounds; round++) {
        progress(`Round ${round} of ${rounds}: starting ${name}`);
        results.push(await startOnce(name, 'all migrations to apply', await place.emptyDatabase(provider), logLevel));
        results.push(await startOnce(name, 'all migrations applied', full, logLevel));
      }
    }
  } finally {
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
  /** Milliseconds of processor time until then. */
  startProcessorMillis?: number;
  idleMegabytes?: number;
}

async function startOnce(name: SystemName, database: string, databaseUrl: string, logLevel: string) {
  const system = systemOf(name);
  const begun = performance.now();
  const server = await startServer({ command: system.command(), databaseUrl, env: { LOG_LEVEL: logLevel } });
  await ask({ ...system, server }, 'page', { id: '', offset: 0, cursor: '' });
  const firstAnswerMillis = performance.now() - begun;
  const startProcessorMillis = processorMillis(server.pid);
  await sleep(IDLE_MILLIS);
  const idleMegabytes = residentMegabytes(server.pid);
  await server.stop();
  return { system: name, database, firstAnswerMillis, startProcessorMillis, idleMegabytes };
}
