/** Runs the mixed workload for minutes and shows whether memory stays flat, p99 stays near p50, and nothing fails. */
import { Load } from '../load/load.js';
import type { LoadResult } from '../load/protocol.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { progress, progressEnds } from '../progress.js';
import { writeResults } from '../results.js';
import { type RunningSystem, startSystem } from '../running-system.js';
import { spreadOf } from '../spread.js';
import type { SystemName } from '../systems.js';
import { figure, table } from '../table.js';
import { residentMegabytes } from '../usage.js';

const WINDOW_SECONDS = 10;
/** The first part of the time, in which caches fill and V8 compiles. */
const WARM_UP_PART = 0.2;

export async function soak(options: Options): Promise<void> {
  const place = new Place();
  const load = new Load();
  try {
    for (const name of options.systems.filter((system) => system.startsWith('gateway'))) {
      const facts = { repairs: options.rows, quotations: 10, cursor: '' };
      const system = await startSystem(name, place, facts, options);
      const windows: Window[] = [];
      const count = Math.max(5, Math.round((options.soakMinutes * 60) / WINDOW_SECONDS));
      while (windows.length < count) {
        progress(`Soaking ${name}: ${windows.length} of ${count} windows of ${WINDOW_SECONDS} s`);
        windows.push(await runWindow(load, system, facts));
      }
      await system.server.stop();
      const file = writeResults('soak', { options, system: name, windows });
      progressEnds();
      console.log(`${textOf(name, windows)}\n\nEverything measured: ${file}\n`);
    }
  } finally {
    load.close();
    await place.close();
  }
}

type Window = LoadResult & { megabytes?: number };

async function runWindow(load: Load, { name, server }: RunningSystem, facts: Parameters<Load['run']>[0]['facts']) {
  const order = { system: name, facts, ports: [server.port], connections: 32, seconds: WINDOW_SECONDS };
  const result = await load.run({ ...order, workload: 'W7' });
  return { ...result, megabytes: residentMegabytes(server.pid) };
}

function textOf(name: SystemName, windows: readonly Window[]): string {
  const perMinute = 60 / WINDOW_SECONDS;
  const minutes = Array.from({ length: Math.ceil(windows.length / perMinute) }, (_, minute) =>
    windows.slice(minute * perMinute, (minute + 1) * perMinute),
  );
  const median = (group: readonly Window[], read: (window: Window) => number | undefined) =>
    spreadOf(group.map(read))?.median;
  const rows = minutes.map((group, minute) => [
    String(minute + 1),
    figure(median(group, ({ requests, seconds }) => requests / seconds)),
    figure(median(group, ({ p50 }) => p50)),
    figure(median(group, ({ p99 }) => p99)),
    figure(median(group, ({ p50, p99 }) => p99 / p50)),
    figure(median(group, ({ megabytes }) => megabytes)),
    String(group.reduce((sum, { errors }) => sum + errors, 0)),
  ]);
  const warm = windows.slice(Math.ceil(windows.length * WARM_UP_PART));
  const edge = Math.max(1, Math.min(perMinute, Math.floor(warm.length / 2)));
  const early = median(warm.slice(0, edge), ({ megabytes }) => megabytes);
  const late = median(warm.slice(-edge), ({ megabytes }) => megabytes);
  const grown = early && late ? `${((late / early - 1) * 100).toFixed(1)} %` : '–';
  const failed = windows.find(({ error }) => error !== undefined);
  return [
    name,
    table(['minute', 'req/s', 'p50 ms', 'p99 ms', 'p99 ÷ p50', 'MB', 'errors'], rows),
    `Memory after the warm-up: ${figure(early)} MB, at the end: ${figure(late)} MB (${grown}).`,
    ...(failed ? [`The first error: ${failed.error}`] : []),
  ].join('\n\n');
}
