/** HAProxy before a cluster: one address for the primary and one for its synchronous standby, as Patroni says who these are. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../postgresql.js';
import type { Member } from './member.js';
import { type OwnProcess, own, startProcess } from './process.js';

export interface Haproxy extends OwnProcess {
  primaryPort: number;
  standbyPort: number;
}

export async function startHaproxy(folder: string, members: readonly Member[]): Promise<Haproxy> {
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  const listen = (role: string, port: number) => `
listen ${role}
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /${role}
  http-check expect status 200
${members.map((each) => `  server ${each.name} 127.0.0.1:${each.port} check port ${each.statusPort}`).join('\n')}
`;
  const settings = join(folder, 'haproxy.cfg');
  writeFileSync(
    settings,
    `defaults
  mode tcp
  timeout connect 1s
  timeout check 1s
  timeout client 30m
  timeout server 30m
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${listen('primary', primaryPort)}${listen('sync', standbyPort)}`,
  );
  own(settings);
  return { ...(await startProcess('haproxy', ['-db', '-f', settings])), primaryPort, standbyPort };
}
