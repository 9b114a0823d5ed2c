/**
 * Resource exhaustion: an attack tries to exceed one limit for some seconds, while a bystander keeps reading one record.
 * The gateway has to keep running below 700 MB (at a gigabyte it is killed), and the bystander must hardly notice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, onBoth } from '../faults/fault.js';
import { type GatewayProcess, key, startGateway } from '../faults/gateway-process.js';
import { anything, below, exactly, type Report } from '../faults/report.js';
import { Bystander, p99 } from './bystander.js';
import { type DatasetName, databaseWith, repairId } from './datasets.js';
import { MemoryWatch } from './memory.js';

export interface ExhaustionAttack {
  title: string;
  dataset: DatasetName;
  /** Further settings of the gateway. */
  env?: Record<string, string>;
  /** Seconds that the attack may take after `attackSeconds`. */
  graceSeconds?: number;
  /** Megabytes that the gateway must not exceed; 700 by default. */
  maxMegabytes?: number;
}

/** What an attack does to the gateway. */
export interface AttackSteps {
  run(gateway: GatewayProcess, report: Report): Promise<unknown>;
  /** Reports the outcomes of requests, of which some may remain unanswered; without it, `run` must finish in time. */
  reportOutcomes?(report: Report): void;
}

/** How long requests are sent. */
export const attackSeconds = Number(process.env.ATTACK_SECONDS ?? 6);
const defaultGraceSeconds = 35;

/** The attack on each database: the gateway keeps running within its limits, and others hardly notice. */
export function exhaustionAttack(
  { title, dataset, env, graceSeconds = defaultGraceSeconds, maxMegabytes = 700 }: ExhaustionAttack,
  steps: AttackSteps,
): Fault[] {
  return onBoth(`attack: ${title}`, async (provider, place, report) => {
    const gateway = await startGateway({ databaseUrl: await databaseWith(place, provider, dataset), env });
    const watch = new MemoryWatch(gateway.child);
    try {
      await runBesideBystander(gateway, steps, report, (attackSeconds + graceSeconds) * 1000);
    } finally {
      watch.stop();
    }
    report.figure('most memory', Math.round(watch.peak), below(maxMegabytes, ' MB'), ' MB');
    report.holds(
      'it stays up',
      gateway.isRunning && !watch.hasKilled,
      watch.hasKilled ? 'it held a gigabyte' : gateway.log.slice(-300),
    );
    gateway.kill('SIGKILL'); // a gateway that is still under attack would take long to stop
    await gateway.ended;
  });
}

async function runBesideBystander(
  gateway: GatewayProcess,
  { run, reportOutcomes }: AttackSteps,
  report: Report,
  maxMillis: number,
): Promise<void> {
  const bystander = new Bystander(`${gateway.url}/api/assets/asset-repair/${repairId(3)}`, key);
  try {
    const quiet = await bystander.during(sleep(2_500));
    let isDone = false;
    const done = run(gateway, report).then(() => {
      isDone = true;
    });
    const attacked = await bystander.during(Promise.race([done, sleep(maxMillis)]));
    if (!reportOutcomes) report.holds('all of it was done in its time', isDone);
    report.figure("bystander's p99 in quiet", p99(quiet.times), anything, ' ms');
    report.figure("bystander's p99 under attack", p99(attacked.times), below(300, ' ms'), ' ms');
    report.figure("bystander's requests that failed", attacked.failed, exactly(0));
  } finally {
    bystander.end();
  }
  reportOutcomes?.(report);
}
