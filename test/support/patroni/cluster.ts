/**
 * PostgreSQL on three machines, as in production: Patroni keeps one primary and a synchronous standby, etcd stores who
 * is the primary, and HAProxy leads to it. All are Debian's programs, as processes on one machine.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../postgresql.js';
import { requireProgram } from '../require-program.js';
import { startHaproxy } from './haproxy.js';
import { createMember, type Member, password } from './member.js';
import { own, startProcess } from './process.js';

export interface Cluster {
  /** The URL of the administrator, through HAProxy. */
  primaryUrl: string;
  standbyUrl: string;
  memberThatIs(role: Role): Promise<Member>;
  /** Resolves when another member than this leads. */
  ledByAnother(member: Member): Promise<void>;
  /** Resolves when there is a primary that takes writes and a synchronous standby, and every member follows. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds until the members agree. */
const patience = 120_000;

type Role = 'leader' | 'sync_standby';

/** What Patroni says of a member. */
interface Status {
  name: string;
  role: string;
  state: string;
  timeline?: number;
}

export async function startCluster(): Promise<Cluster> {
  for (const [program, debian] of programs) requireProgram(program, debian);
  const folder = mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
  chmodSync(folder, 0o755);
  own(folder);
  const etcd = await startEtcd(folder);
  const members: Member[] = [];
  for (const name of ['one', 'two', 'three']) members.push(await createMember(folder, name, etcd.port));
  for (const member of members) await member.start();
  const haproxy = await startHaproxy(folder, members);
  const url = (port: number): string => `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;

  const statuses = async (): Promise<Status[]> => {
    for (const { statusPort } of members) {
      const signal = AbortSignal.timeout(1_000);
      const answer = await fetch(`http://127.0.0.1:${statusPort}/cluster`, { signal }).catch(() => undefined);
      const body: { members?: Status[] } | undefined = await answer?.json().catch(() => undefined);
      if (body?.members) return body.members;
    }
    return [];
  };
  const isWhole = async () => {
    const all = await statuses();
    const timelines = new Set(all.map(({ timeline }) => timeline));
    const isRunning = all.length === members.length && all.every(({ state }) => /running|streaming/.test(state));
    const roles = all.map(({ role }) => role);
    if (!isRunning || timelines.size > 1 || !roles.includes('leader') || !roles.includes('sync_standby')) return false;
    return (await Promise.all([haproxy.primaryPort, haproxy.standbyPort].map((port) => answers(url(port))))).every(
      Boolean,
    );
  };
  const memberThatIs = async (role: Role) => {
    const name = (await statuses()).find((status) => status.role === role)?.name;
    return members.find((member) => member.name === name);
  };
  const until = async (holds: () => Promise<boolean>): Promise<void> => {
    for (const end = performance.now() + patience; !(await holds()); await sleep(100)) {
      if (performance.now() < end) continue;
      const said = members.map((member) => member.said().slice(-1_500)).join('\n');
      throw new Error(`The cluster is not as it should be: ${JSON.stringify(await statuses())}\n${said}`);
    }
  };
  return {
    primaryUrl: url(haproxy.primaryPort),
    standbyUrl: url(haproxy.standbyPort),
    memberThatIs: async (role) => {
      const found = await memberThatIs(role);
      if (!found) throw new Error(`No member is the ${role}`);
      return found;
    },
    ledByAnother: (member) => until(async () => ![undefined, member].includes(await memberThatIs('leader'))),
    whole: () => until(isWhole),
    stop: async () => {
      await Promise.all([...members, haproxy, etcd].map((each) => each.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const programs = [
  ['patroni', 'patroni'],
  ['etcd', 'etcd-server'],
  ['haproxy', 'haproxy'],
] as const;

async function startEtcd(folder: string) {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [own, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const flags = {
    name: 'etcd',
    'data-dir': join(folder, 'etcd'),
    // By version 3 of the interface, Patroni 3.0 keeps what it has read, also after it was stopped and has missed changes.
    'enable-v2': 'true',
    'listen-client-urls': own,
    'advertise-client-urls': own,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
  };
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return { ...(await startProcess('etcd', words)), port };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
