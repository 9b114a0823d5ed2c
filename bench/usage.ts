/** The resource usage of processes, from Linux's /proc; undefined on other systems. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Milliseconds of processor time used by a process and its threads. */
export function processorMillis(pid: number): number | undefined {
  if (!hasProc) return undefined;
  const threads = readdirSync(`/proc/${pid}/task`);
  return sum(threads.map((thread) => runNanos(`/proc/${pid}/task/${thread}/schedstat`))) / 1e6;
}

/** The same for a process and all its children, including ended ones, such as a PostgreSQL server. */
export function familyMillis(pid: number): number | undefined {
  if (!hasProc) return undefined;
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)?.parent === pid);
  const alive = [String(pid), ...children].map((name) => runNanos(`/proc/${name}/schedstat`));
  return sum(alive) / 1e6 + (statOf(String(pid))?.endedChildrenMillis ?? 0);
}

/** Resets the peak that `peakMegabytes` reports. */
export function forgetPeak(pid: number): void {
  // Some systems do not allow it; then the peak is that of the whole life of the process.
  if (hasProc) ignoreErrors(() => writeFileSync(`/proc/${pid}/clear_refs`, '5'));
}

/** The peak resident memory of a process. */
export function peakMegabytes(pid: number): number | undefined {
  return megabytes(pid, 'VmHWM');
}

/** The resident memory of a process. */
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
  // The fields after the name, which may contain anything: state, parent, …
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  if (!fields) return undefined;
  return { parent: Number(fields[1]), endedChildrenMillis: (Number(fields[13]) + Number(fields[14])) * TICK_MILLIS };
}

/** Processes and threads may end while they are read. */
function ignoreErrors<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
