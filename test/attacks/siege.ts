/**
 * Several clients push one limit at once for some seconds, while a bystander keeps reading one record. The gateway has
 * to keep running below 700 MB (at a gigabyte it is killed), and the bystander must hardly notice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, onBoth, workers } from '../faults/fault.js';
import { type GatewayProcess, key, startGateway } from '../faults/gateway-process.js';
import { anything, below, exactly, type Report } from '../faults/report.js';
import { type Outcome, type Request, strike } from './blows.js';
import { Bystander, median, p99 } from './bystander.js';
import { MemoryWatch } from './memory.js';
import { repairId, type StockName, stocked } from './stock.js';

export interface Siege {
  title: string;
  stock: StockName;
  /** The request with this number. */
  blow(index: number): Request;
  /** The answers it may get: `answered`, and codes of refusals. */
  outcomes: readonly string[];
  /** Simultaneous clients; 4 by default. */
  clients?: number;
  /** Bytes per second that each client reads of its answer. */
  pace?: number;
  /** What is wrong with an answer; undefined if nothing is. */
  wrong?(outcome: Outcome): string | undefined;
  /** Further settings of the gateway. */
  env?: Record<string, string>;
  /** Seconds that it may take after the last request is sent. */
  patience?: number;
  /** Megabytes that the gateway must not exceed; 700 by default. */
  memory?: number;
}

/** How long requests are sent. */
export const seconds = Number(process.env.SIEGE_SECONDS ?? 6);
/** Default seconds that requests may still take after the last one is sent. */
const usualPatience = 35;

/** The siege on each database. */
export function besiege(siege: Siege): Fault[] {
  const outcomes: Outcome[] = [];
  return withstand(siege, {
    storm: (gateway) => storm(gateway, siege, outcomes),
    tell: (report) => tell(siege, outcomes.splice(0), report),
  });
}

/** The requests to a gateway during a siege, and their outcome. */
export interface Assault {
  storm(gateway: GatewayProcess, report: Report): Promise<unknown>;
  tell?(report: Report): void;
}

/** The siege on each database: the gateway keeps running within its bounds, and others hardly notice. */
export function withstand(
  { title, stock, env, patience = usualPatience, memory = 700 }: Omit<Siege, 'blow' | 'outcomes'>,
  assault: Assault,
): Fault[] {
  return onBoth(`attack: ${title}`, async (provider, place, report) => {
    const gateway = await startGateway({ databaseUrl: await stocked(place, provider, stock), env });
    const watch = new MemoryWatch(gateway.child);
    try {
      await beleaguer(gateway, assault, report, (seconds + patience) * 1000);
    } finally {
      watch.stop();
    }
    report.figure('most memory', Math.round(watch.most), below(memory, ' MB'), ' MB');
    report.holds(
      'it stays up',
      gateway.isRunning && !watch.hasEnded,
      watch.hasEnded ? 'it held a gigabyte' : gateway.log.slice(-300),
    );
    gateway.kill('SIGKILL'); // one that is still besieged would take its time
    await gateway.ended;
  });
}

async function beleaguer(
  gateway: GatewayProcess,
  { storm, tell }: Assault,
  report: Report,
  most: number,
): Promise<void> {
  const bystander = new Bystander(`${gateway.url}/api/assets/asset-repair/${repairId(3)}`, key);
  try {
    const quiet = await bystander.during(sleep(2_500));
    let isDone = false;
    const done = storm(gateway, report).then(() => {
      isDone = true;
    });
    const loud = await bystander.during(Promise.race([done, sleep(most)]));
    // Requests of a siege may remain unanswered; what was not answered in time proves nothing.
    if (!tell) report.holds('all of it was done in its time', isDone);
    report.figure("bystander's p99 in quiet", p99(quiet.times), anything, ' ms');
    report.figure("bystander's p99 under attack", p99(loud.times), below(300, ' ms'), ' ms');
    report.figure("bystander's requests that failed", loud.failed, exactly(0));
  } finally {
    bystander.end();
  }
  tell?.(report);
}

/** Sends requests for some seconds and waits for the last answers. */
async function storm(gateway: GatewayProcess, siege: Siege, outcomes: Outcome[]): Promise<void> {
  const until = performance.now() + seconds * 1000;
  let index = 0;
  await workers(siege.clients ?? 4, async () => {
    outcomes.push(await strike(gateway, siege.blow(index++), siege.pace));
    if (outcomes.at(-1)?.status === 503) await sleep(100); // as the gateway asks, but sooner
    return performance.now() < until && gateway.isRunning;
  });
}

function tell(siege: Siege, outcomes: readonly Outcome[], report: Report): void {
  const counts = new Map<string, number>();
  for (const { status, code } of outcomes) counts.set(`${status} ${code}`, (counts.get(`${status} ${code}`) ?? 0) + 1);
  const told = [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
  const others = outcomes.filter(({ code }) => !siege.outcomes.includes(code));
  report.holds(
    `answers: ${told}`,
    outcomes.length > 0 && others.length === 0,
    others[0]?.beginning.slice(0, 200) ?? 'none',
  );
  const wrong = outcomes
    .map((outcome) => nameless(outcome) ?? (outcome.code === 'answered' ? siege.wrong?.(outcome) : undefined))
    .find(Boolean);
  report.holds('each is right, or names its limit', wrong === undefined, wrong);
  report.figure('answered after (median)', median(outcomes.map(({ milliseconds }) => milliseconds)), anything, ' ms');
  report.figure(
    'answered after (longest)',
    Math.max(...outcomes.map(({ milliseconds }) => milliseconds)),
    anything,
    ' ms',
  );
}

/** Refusals of invalid requests, which test no limit. */
const wrongInItself = ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED', 'content_type_unsupported'];

/** A refusal that does not name its limit. For busy and timed out requests the code is enough. */
function nameless({ code, beginning }: Outcome): string | undefined {
  if (['answered', 'busy', 'timeout', ...wrongInItself].includes(code)) return undefined;
  return /"limit":\d|at most|\d MB/.test(beginning) ? undefined : `${code}: ${beginning.slice(0, 200)}`;
}
