/** One machine of a cluster: a Patroni, and the PostgreSQL that it starts, promotes and rewinds. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../postgresql.js';
import { familyOf, type OwnProcess, own, signalAll, startProcess } from './process.js';

export const password = 'postgres';

/** Where Debian keeps the programs of its newest PostgreSQL. */
export function postgresqlPrograms(): string {
  const parent = '/usr/lib/postgresql';
  const versions = existsSync(parent) ? readdirSync(parent).map(Number) : [];
  const newest = versions.sort((one, other) => other - one).find((each) => existsSync(`${parent}/${each}/bin/initdb`));
  if (newest === undefined)
    throw new Error('PostgreSQL of Debian is missing: apt-get install --no-install-recommends postgresql');
  return `${parent}/${newest}/bin`;
}

export interface Member {
  name: string;
  port: number;
  /** The address at which Patroni reports the role of the member. */
  statusPort: number;
  start(): Promise<void>;
  /** Kills Patroni and PostgreSQL, as when a machine loses its power. */
  kill(): Promise<void>;
  /** Pauses both in the middle of their work, and resumes them. */
  freeze(): void;
  thaw(): void;
  said(): string;
}

export async function createMember(folder: string, name: string, etcdPort: number): Promise<Member> {
  const [port, statusPort] = [await freePort(), await freePort()];
  const data = join(folder, name);
  const settings = join(folder, `${name}.json`);
  writeFileSync(settings, JSON.stringify(settingsOf({ folder, name, data, etcdPort, port, statusPort })));
  own(settings);
  let patroni: OwnProcess | undefined;
  let frozen: number[] = [];
  /** PostgreSQL has a session of its own, and outlives Patroni. */
  const family = () => [...(patroni ? familyOf(patroni.pid) : []), ...familyOf(postmasterOf(data))];
  return {
    name,
    port,
    statusPort,
    start: async () => {
      patroni = await startProcess('patroni', [settings]);
    },
    kill: async () => {
      const pids = [...new Set([...family(), ...frozen])];
      signalAll(pids, 'SIGKILL');
      frozen = [];
      await patroni?.kill();
    },
    freeze: () => {
      frozen = family();
      signalAll(frozen, 'SIGSTOP');
    },
    thaw: () => {
      signalAll(frozen, 'SIGCONT');
      frozen = [];
    },
    said: () => patroni?.said() ?? '',
  };
}

/** Zero if PostgreSQL does not run: no process has this number. */
function postmasterOf(data: string): number {
  const file = join(data, 'postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0;
}

interface Place {
  folder: string;
  name: string;
  data: string;
  etcdPort: number;
  port: number;
  statusPort: number;
}

/** YAML holds JSON. The times are for a test: docs/scale.md says what they mean. */
function settingsOf({ folder, name, data, etcdPort, port, statusPort }: Place): object {
  const [address, status] = [`127.0.0.1:${port}`, `127.0.0.1:${statusPort}`];
  return {
    scope: 'records',
    name,
    restapi: { listen: status, connect_address: status },
    etcd: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: 6,
        loop_wait: 1,
        retry_timeout: 2,
        synchronous_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, synchronous_commit: 'on', jit: 'off' },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: data,
      bin_dir: postgresqlPrograms(),
      pgpass: join(folder, `${name}.pgpass`),
      authentication: {
        superuser: { username: 'postgres', password },
        replication: { username: 'replicator', password },
      },
      parameters: { unix_socket_directories: folder },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication all 127.0.0.1/32 scram-sha-256',
      ],
    },
  };
}
