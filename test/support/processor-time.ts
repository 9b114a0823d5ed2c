/**
 * The processor time of each test file, including the processes that it starts: `PROCESSOR_TIME=true npm test` lists
 * the most expensive files at the end. Elapsed times mean little, because files share processes and machines are busy.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether this run measures it. */
export const tellsProcessorTime = process.env.PROCESSOR_TIME !== undefined;

/** Seconds of this process and of its children that have ended. */
export interface ProcessorTime {
  own: number;
  started: number;
}

interface OfFile extends ProcessorTime {
  file: string;
}

const record = (folder: string) => join(folder, 'processor-time.jsonl');

let last: ProcessorTime = { own: 0, started: 0 };

/** Records the processor time of this process since the last file that ran in it, or since its start. */
export function writeProcessorTime(folder: string, file: string): void {
  const now = processorTimeOf('self');
  const spent: OfFile = { file, own: now.own - last.own, started: now.started - last.started };
  last = now;
  appendFileSync(record(folder), `${JSON.stringify(spent)}\n`);
}

/**
 * The most expensive files of a run, and the processor time of the rest: this process, and the server with the process
 * id `postmaster`.
 */
export function processorTimeOfRun(folder: string, postmaster: number | undefined): string {
  const lines = existsSync(record(folder)) ? readFileSync(record(folder), 'utf8').trim().split('\n') : [];
  const files = lines.map((line): OfFile => JSON.parse(line));
  const total = ({ own, started }: ProcessorTime) => own + started;
  // The workers, which this process has started, are counted above.
  const rest: OfFile[] = [
    { file: 'this process, which transforms the files', own: processorTimeOf('self').own, started: 0 },
  ];
  if (postmaster !== undefined) rest.push({ file: 'PostgreSQL', ...processorTimeOf(postmaster) });
  const all: OfFile = {
    file: `all ${files.length} files`,
    own: sum(files.map(({ own }) => own)),
    started: sum(files.map(({ started }) => started)),
  };
  const dearest = files.toSorted((one, other) => total(other) - total(one)).slice(0, 60);
  return ['own s  started s', ...[...dearest, all, ...rest].map(shown)].join('\n');
}

const shown = ({ file, own, started }: OfFile): string =>
  `${own.toFixed(1).padStart(5)} ${started.toFixed(1).padStart(10)}  ${file}`;

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Linux counts it in hundredths of a second; on other systems the time of child processes is unknown. */
function processorTimeOf(pid: number | 'self'): ProcessorTime {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, userOfStarted = 0, systemOfStarted = 0] = fields.slice(11, 15).map(Number);
    return { own: (user + system) / 100, started: (userOfStarted + systemOfStarted) / 100 };
  } catch {
    const { user, system } = process.cpuUsage();
    return { own: pid === 'self' ? (user + system) / 1e6 : 0, started: 0 };
  }
}
