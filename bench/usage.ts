/** What processes have used, from Linux's /proc; undefined elsewhere. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Milliseconds of processor time a process and its threads have used. */
export function processorMillis(pid: number): number | undefined {
  if (!hasProc) return undefined;
  const threads = readdirSync(`/proc/${pid}/task`);
  return sum(threads.map((thread) => runNanos(`/proc/${pid}/task/${thread}/schedstat`))) / 1e6;
}

/** The same of a process and all its children, those that have ended among them: a PostgreSQL server. */
export function familyMillis(pid: number): number | undefined {
  if (!hasProc) return undefined;
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)?.parent === pid);
  const alive = [String(pid), ...children].map((name) => runNanos(`/proc/${name}/schedstat`));
  return sum(alive) / 1e6 + (statOf(String(pid))?.endedChildrenMillis ?? 0);
}

/** From now on `peakMegabytes` tells of what comes. */
export function forgetPeak(pid: number): void {
  // Some systems let nobody write it; then the peak is that of the process's life.
  if (hasProc) ignoreErrors(() => writeFileSync(`/proc/${pid}/clear_refs`, '5'));
}

/** The most memory a process has had in use at a time (resident). */
export function peakMegabytes(pid: number): number | undefined {
  return megabytes(pid, 'VmHWM');
}

/** The memory a process has in use (resident). */
export function residentMegabytes(pid: number): number | undefined {
  return megabytes(pid, 'VmRSS');
}

const hasProc = existsSync('/proc/self/schedstat');
const TICK_MILLIS = 10;

function megabytes(pid: number, field: string): number | undefined {
  if (!hasProc) return undefined;
  const kilobytes = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}

function runNanos(file: string): number {
  return Number(ignoreErrors(() => readFileSync(file, 'utf8'))?.split(' ')[0] ?? 0);
}

function statOf(pid: string): { parent: number; endedChildrenMillis: number } | undefined {
  const text = ignoreErrors(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // Behind the name, which may hold anything: state, parent, …
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  if (!fields) return undefined;
  return { parent: Number(fields[1]), endedChildrenMillis: (Number(fields[13]) + Number(fields[14])) * TICK_MILLIS };
}

/** Processes and threads come and go while one looks. */
function ignoreErrors<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
