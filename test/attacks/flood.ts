/** A flood: several clients send requests that try to exceed one limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fault, workers } from '../faults/fault.js';
import type { GatewayProcess } from '../faults/gateway-process.js';
import { anything, type Report } from '../faults/report.js';
import { type AttackRequest, type RequestOutcome, sendRequest } from './attack-request.js';
import { median } from './bystander.js';
import { attackSeconds, type ExhaustionAttack, exhaustionAttack } from './exhaustion-attack.js';

export interface Flood extends ExhaustionAttack {
  /** The request with this number. */
  request(number: number): AttackRequest;
  /** The answers it may get: `answered`, and codes of refusals. */
  outcomes: readonly string[];
  /** Simultaneous clients; 4 by default. */
  clients?: number;
  /** Bytes per second that each client reads of its answer; by default as fast as it can. */
  bytesPerSecond?: number;
  /** What is wrong with an answer; undefined if nothing is. */
  problemOf?(outcome: RequestOutcome): string | undefined;
}

/** The flood on each database. */
export function flood(settings: Flood): Fault[] {
  const outcomes: RequestOutcome[] = [];
  return exhaustionAttack(settings, {
    run: (gateway) => sendRequests(gateway, settings, outcomes),
    reportOutcomes: (report) => reportOutcomes(settings, outcomes.splice(0), report),
  });
}

/** Sends requests for some seconds and waits for the last answers. */
async function sendRequests(gateway: GatewayProcess, settings: Flood, outcomes: RequestOutcome[]): Promise<void> {
  const until = performance.now() + attackSeconds * 1000;
  let number = 0;
  await workers(settings.clients ?? 4, async () => {
    outcomes.push(await sendRequest(gateway, settings.request(number++), settings.bytesPerSecond));
    if (outcomes.at(-1)?.status === 503) await sleep(100); // as the gateway asks, but sooner
    return performance.now() < until && gateway.isRunning;
  });
}

function reportOutcomes(settings: Flood, outcomes: readonly RequestOutcome[], report: Report): void {
  const counts = new Map<string, number>();
  for (const { status, code } of outcomes) counts.set(`${status} ${code}`, (counts.get(`${status} ${code}`) ?? 0) + 1);
  const answers = [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
  const unexpected = outcomes.filter(({ code }) => !settings.outcomes.includes(code));
  report.holds(
    `answers: ${answers}`,
    outcomes.length > 0 && unexpected.length === 0,
    unexpected[0]?.beginning.slice(0, 200) ?? 'none',
  );
  const problem = outcomes
    .map(
      (outcome) => unnamedLimit(outcome) ?? (outcome.code === 'answered' ? settings.problemOf?.(outcome) : undefined),
    )
    .find(Boolean);
  report.holds('each is right, or names its limit', problem === undefined, problem);
  report.figure('answered after (median)', median(outcomes.map(({ milliseconds }) => milliseconds)), anything, ' ms');
  report.figure(
    'answered after (longest)',
    Math.max(...outcomes.map(({ milliseconds }) => milliseconds)),
    anything,
    ' ms',
  );
}

/** Codes of invalid requests, which test no limit. */
const invalidRequestCodes = ['GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_PARSE_FAILED', 'content_type_unsupported'];

/** The refusal, if it does not name its limit. For busy and timed out requests the code is enough. */
function unnamedLimit({ code, beginning }: RequestOutcome): string | undefined {
  if (['answered', 'busy', 'timeout', ...invalidRequestCodes].includes(code)) return undefined;
  return /"limit":\d|at most|\d MB/.test(beginning) ? undefined : `${code}: ${beginning.slice(0, 200)}`;
}
