/**
 * `npm run test:faults`: causes faults in real gateways and prints the results. Exits with 1 if any figure is not as
 * required. `npm run test:faults -- --help` says how to choose faults.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { attacks } from '../attacks/attacks.js';
import { clock } from './clock.js';
import { crash } from './crash.js';
import { everyChange } from './every-change.js';
import { failover } from './failover.js';
import type { Fault } from './fault.js';
import { fullDisk } from './full-disk.js';
import { killAll } from './gateway-process.js';
import { killedWorkers } from './killed-workers.js';
import { lock } from './lock.js';
import { outage } from './outage.js';
import { Place } from './place.js';
import { racing } from './racing.js';
import { refusedStarts } from './refused-starts.js';
import { repeated } from './repeated.js';
import { type Figure, Report, Skipped, table } from './report.js';
import { rollbacks } from './rollbacks.js';
import { stopping } from './stopping.js';
import { syncs } from './syncs.js';
import { tenStarts } from './ten-starts.js';
import { toldAllTheSame } from './told-all-the-same.js';
import { twoProcesses } from './two-processes.js';
import { webhooks } from './webhooks.js';

/** Those in one stage run side by side, because most of their time is spent on starting gateways. */
const stages: Fault[][] = [
  crash,
  repeated,
  ...[
    rollbacks,
    syncs,
    twoProcesses,
    ...killedWorkers,
    lock,
    fullDisk,
    outage,
    failover,
    stopping,
    clock,
    racing,
    refusedStarts,
    tenStarts,
    webhooks,
    toldAllTheSame,
    everyChange,
    attacks,
  ]
    .flat()
    .map((fault) => [fault]),
];
/** Longest that one fault may take, in milliseconds, unless it says so: what hangs is to fail, not to hang the run. */
const usualPatience = 5 * 60_000;
/** How often a fault is repeated in which too little happened, by chance or because the machine is busy. */
const furtherTries = 2;

const words = process.argv.slice(2);
if (words.includes('--help') || words.includes('-h')) {
  console.log(help());
  process.exit(0);
}
const barred = words.filter((word) => word.startsWith('!')).map((word) => word.slice(1));
const wanted = words.filter((word) => !word.startsWith('!'));
const isChosen = ({ title }: Fault) =>
  !barred.some((word) => title.includes(word)) && (wanted.length === 0 || wanted.some((word) => title.includes(word)));
const chosen = stages.map((stage) => stage.filter(isChosen)).filter((stage) => stage.length > 0);
const count = chosen.flat().length;
const place = new Place();
const figures: Figure[] = [];
const startedAt = performance.now();
let begun = 0;
try {
  for (const stage of chosen) {
    figures.push(...(await Promise.all(stage.map(runOne))).flat());
    await killAll();
  }
} finally {
  await killAll();
  await place.close();
}
const deviations = figures.filter(({ ok }) => !ok);
console.log(`\n${table(figures)}\n`);
for (const { fault, what, measured } of deviations) console.log(`✗ ${fault}: ${what}: ${measured}`);
const verdict =
  deviations.length === 0
    ? 'every figure is what it has to be'
    : `${deviations.length} of ${figures.length} figures are not what they have to be`;
console.log(`${count} faults in ${seconds(startedAt)} s: ${verdict}.`);
process.exit(deviations.length === 0 && count > 0 ? 0 : 1);

async function runOne(fault: Fault): Promise<Figure[]> {
  for (let tries = 0; ; tries++) {
    const report = await tryOne(fault, `[${tries === 0 ? ++begun : begun}/${count}]`);
    if (!report.saysTooLittle || tries === furtherTries) return report.figures;
    console.log(`    too little was tried for these figures to say anything: again`);
  }
}

async function tryOne({ title, run, patience = usualPatience }: Fault, number: string): Promise<Report> {
  const report = new Report(title);
  const at = performance.now();
  console.log(`${number} ${title} …`);
  const isTerminal = process.stdout.isTTY;
  const progress = (text: string) => void (isTerminal && process.stdout.write(`\r\x1b[2K${number} ${title}: ${text}`));
  const limit = new AbortController();
  try {
    const tooLong = sleep(patience, undefined, { signal: limit.signal }).then(() => {
      throw new Error(`It took longer than ${patience / 1000} s`);
    });
    await Promise.race([run(place, report, progress), tooLong]);
  } catch (error) {
    if (error instanceof Skipped) report.skipped(error.message);
    else report.failed(error);
  } finally {
    limit.abort();
  }
  if (isTerminal) process.stdout.write('\r\x1b[2K');
  const lines = report.figures.map(
    ({ what, measured, wanted, ok }) =>
      `    ${ok ? '✓' : '✗'} ${what}: ${measured}${wanted ? ` (wanted: ${wanted})` : ''}`,
  );
  console.log([`${number} ${title}: ${seconds(at)} s`, ...lines].join('\n'));
  return report;
}

function help(): string {
  return `Does to real gateways what happens to gateways, and fails where a figure is not what it has to be.

  npm run test:faults                   all of it
  npm run test:faults -- disk lock      the faults whose titles hold one of these words
  npm run test:faults -- '!attack'      all but those whose titles hold this word
  npm run test:faults -- --help         prints this

${stages
  .flat()
  .map(({ title }) => `  ${title}`)
  .join('\n')}`;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
