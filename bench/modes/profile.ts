/** Shows where a server's processor time goes under each workload: a sampling profile, by part and by function. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../src/common/project.js';
import { Load } from '../load/load.js';
import type { Options } from '../options.js';
import { Place } from '../place.js';
import { progress, progressEnds } from '../progress.js';
import { supply } from '../running-system.js';
import { startServer } from '../server-process.js';
import { canRun, gatewayApart, type SystemName, systemOf } from '../systems.js';
import { table } from '../table.js';
import { type WorkloadName, workloadOf } from '../workloads.js';

const SHOWN = 25;

export async function profile(options: Options): Promise<void> {
  const place = new Place();
  const load = new Load();
  try {
    for (const system of options.systems) {
      for (const workload of options.only.filter((name) => canRun(systemOf(system), workloadOf(name)))) {
        progress(`Profiling ${system}: ${workload}`);
        const nodes = await profiled(place, load, system, workload, options);
        progressEnds();
        console.log(textOf(`${system}, ${workload}`, nodes));
      }
    }
  } finally {
    load.close();
    await place.close();
  }
}

/** The part of a .cpuprofile that is used. */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

async function profiled(
  place: Place,
  load: Load,
  name: SystemName,
  workload: WorkloadName,
  { rows, warmUp, seconds, logLevel }: Options,
): Promise<Map<string, number>> {
  const system = systemOf(name);
  const facts = { repairs: rows, quotations: 2_000, cursor: '' };
  const databaseUrl = await place.database(system.provider, facts);
  await system.prepare?.(databaseUrl);
  const records = workloadOf(workload).supply;
  if (records) await supply({ databaseUrl, provider: system.provider }, records);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-profile-'));
  const [node = '', ...rest] = name.startsWith('gateway') ? gatewayApart : system.command();
  const command = [node, '--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${folder}`, ...rest];
  const server = await startServer({ command, databaseUrl, env: { LOG_LEVEL: logLevel, ...system.env } });
  await load.run({ system: name, workload, facts, ports: [server.port], connections: 32, seconds: warmUp + seconds });
  await server.stop();
  const [file = ''] = readdirSync(folder);
  const found: Profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
  rmSync(folder, { recursive: true, force: true });
  return selfTimes(found);
}

/** Microseconds by function, from the second half of the profile, which leaves out the start. */
function selfTimes({ nodes, samples, timeDeltas }: Profile): Map<string, number> {
  const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
  const times = new Map<string, number>();
  for (let index = samples.length >> 1; index < samples.length; index++) {
    const name = names.get(samples[index] ?? 0) ?? '';
    if (name !== '(idle)') times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return times;
}

function nameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame']): string {
  if (!url) return functionName || '(native)';
  const place = url
    .replace('file://', '')
    .replace(`${projectFolder}/`, '')
    .replace(/^.*node_modules\//, '');
  return `${functionName || '(anonymous)'} ${place}:${lineNumber + 1}`;
}

function textOf(title: string, times: ReadonlyMap<string, number>): string {
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  const percent = (time: number) => ((time / all) * 100).toFixed(1);
  const shown = (entries: Iterable<[string, number]>) =>
    [...entries].sort(([, one], [, other]) => other - one).map(([name, time]) => [name, percent(time)]);
  const parts = new Map<string, number>();
  for (const [name, time] of times) parts.set(partOf(name), (parts.get(partOf(name)) ?? 0) + time);
  return [
    `## ${title}`,
    table(['part', '%'], shown(parts).slice(0, SHOWN)),
    table(['function', '%'], shown(times).slice(0, SHOWN)),
    '',
  ].join('\n\n');
}

/** The package, or folder of the project, that a function belongs to. */
function partOf(name: string): string {
  const [, place] = name.split(' ');
  if (!place) return name;
  if (place.startsWith('node:')) return /^node:(internal\/)?\w+/.exec(place)?.[0] ?? place;
  const ours = /^bench\/dist\/((src\/)?[\w-]+)/.exec(place)?.[1];
  return ours ?? /^(@[^/]+\/)?[^/]+/.exec(place)?.[0] ?? place;
}
