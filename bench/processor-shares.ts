/**
 * Gives processes a fixed share of a processor, by control groups of Linux: what they can do in it is then the bottleneck,
 * also where processors are shared with the load, the database and other work.
 */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Microseconds in which a process gets its share once. */
const period = 20_000;

const root = '/sys/fs/cgroup';

export class ProcessorShares {
  readonly #groups: string[] = [];
  readonly #limited: number[] = [];

  /** @throws if this user cannot make control groups here */
  limit(pid: number, share: number): void {
    const group = join(folder(), `bench-${process.pid}-${this.#groups.length}`);
    mkdirSync(group);
    this.#groups.push(group);
    const quota = String(Math.round(period * share));
    if (isVersion1()) {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(period));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), quota);
    } else {
      writeFileSync(join(group, 'cpu.max'), `${quota} ${period}`);
    }
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    this.#limited.push(pid);
  }

  /** Ends all limits. */
  end(): void {
    for (const pid of this.#limited) {
      if (existsSync(`/proc/${pid}`)) writeFileSync(join(folder(), 'cgroup.procs'), String(pid));
    }
    for (const group of this.#groups) rmdirSync(group);
  }
}

const isVersion1 = () => existsSync(join(root, 'cpu/cpu.cfs_quota_us')) || existsSync(join(root, 'cpu/cpu.shares'));

function folder(): string {
  if (isVersion1()) return join(root, 'cpu');
  writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu');
  return root;
}
