/** 200 clients that never finish a request: 100 of them the headers, and 100 with a valid key the body. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../faults/fault.js';
import { type GatewayProcess, key, startGateway } from '../faults/gateway-process.js';
import { below, exactly } from '../faults/report.js';
import { underTwice } from './attack-phases.js';
import { Bystander, p99 } from './bystander.js';
import { residentMegabytes } from './memory.js';

const clients = 200;

export const slowConnections: Fault = {
  title: 'attack: 200 slow connections',
  run: async (place, report, progress) => {
    const gateway = await startGateway({ databaseUrl: await place.database('sqlite') });
    const { body } = await gateway.send('POST', '/api/assets/asset-repair', { asset: 'x', failure_date: '2026-01-01' });
    const bystander = new Bystander(`${gateway.url}/api/assets/asset-repair/${body.id}`, key);
    await bystander.during(sleep(2_000));
    const quiet = await bystander.during(sleep(4_000));
    const before = residentMegabytes(gateway.child);
    progress('waiting until the gateway closes the connections');
    const held = Array.from({ length: clients }, (_, index) => drip(gateway, index % 2 === 0 ? headers : bodyOf()));
    const attacked = await bystander.during(Promise.all(held));
    bystander.end();
    const times = await Promise.all(held);
    report.figure('longest held', Math.max(...times), below(11, ' s'), ' s');
    report.figure("bystander's p99 by its quiet p99", p99(attacked.times) / p99(quiet.times), underTwice, ' ×');
    report.figure("bystander's requests that failed", attacked.failed, exactly(0));
    report.figure('memory gained', residentMegabytes(gateway.child) - before, below(64, ' MB'), ' MB');
    await gateway.stop();
  },
};

const headers = 'POST /graphql HTTP/1.1\r\nHost: gateway\r\nX-Slow: ';
const bodyOf = () =>
  `POST /graphql HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;

/** Seconds until the gateway closes a connection on which a byte arrives every quarter of a second. */
function drip(gateway: GatewayProcess, beginning: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(beginning));
    const dripping = setInterval(() => socket.write('x'), 250);
    socket.on('error', () => {});
    socket.resume().on('close', () => {
      clearInterval(dripping);
      resolve((performance.now() - startedAt) / 1000);
    });
  });
}
