/**
 * No workload of the bench may become more expensive unnoticed. No clock is read, so this works on every machine:
 * statements and preparations are exact, bytes may differ by two percent.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countStatements, type StatementCounts } from '../../bench/count-statements.js';
import { fillStatements } from '../../bench/data.js';
import { Connection } from '../../bench/load/connection.js';
import { requestsOf } from '../../bench/load/requests.js';
import { postgresqlWire } from '../../bench/postgresql-wire.js';
import { runOn } from '../../bench/run-sql.js';
import { forgetWrites, supply } from '../../bench/running-system.js';
import { benchKey } from '../../bench/server-process.js';
import { systemOf } from '../../bench/systems.js';
import { type WorkloadName, workloadNames, workloadOf } from '../../bench/workloads.js';
import type { Provider } from '../../src/database/migrations/migration-history.js';
import { freshDatabaseUrl, providers } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { committedFigures, isWriting, type RequestFigures, writeFigures } from './figures.js';

// W2c needs a cursor of each database, and W7 is a mix of others.
const names = workloadNames.filter((name) => name !== 'W2c' && name !== 'W7');
const amounts = { repairs: 200, quotations: 40 };
const warmUp = 10;
const counted = 20;

describe.each(providers)('on %s a request takes as many statements and bytes as committed:', (provider) => {
  let gateway: TestGateway;
  let databaseUrl: string;
  let counts: StatementCounts;
  let connection: Connection;
  let closeWire = () => {};

  beforeAll(async () => {
    databaseUrl = await freshDatabaseUrl(provider);
    await runOn(databaseUrl, fillStatements(provider, amounts));
    const wire = provider === 'postgresql' ? await postgresqlWire(databaseUrl) : undefined;
    closeWire = wire?.close ?? closeWire;
    // Other gateways of this process may be active meanwhile.
    counts = wire?.counts ?? countStatements(databaseUrl.slice('file:'.length));
    gateway = await startGateway({ env: { DATABASE_URL: wire?.url ?? databaseUrl, API_KEY: benchKey } });
    connection = new Connection(Number(new URL(gateway.url).port));
  });

  afterAll(async () => {
    connection.close();
    await gateway.close();
    closeWire();
  });

  test.each(names)('%s', async (name) => {
    const found = await figuresOf(name);
    if (isWriting) {
      writeFigures(({ requests }) => {
        requests[provider][name] = found;
      });
    }
    const { bytes, ...exact } = committedOf(provider, name);
    expect(found).toMatchObject(exact);
    expect(Math.abs(found.bytes / bytes - 1), `${found.bytes} bytes, committed ${bytes}`).toBeLessThan(0.02);
  });

  async function figuresOf(name: WorkloadName): Promise<RequestFigures> {
    const system = systemOf(provider === 'sqlite' ? 'gateway-sqlite' : 'gateway-postgresql');
    const workload = workloadOf(name);
    const records = workload.supply && { ...workload.supply, repairs: warmUp + counted };
    await forgetWrites({ provider, databaseUrl });
    if (records) await supply({ provider, databaseUrl }, records);
    const requests = requestsOf(system, { ...workload, supply: records }, { ...amounts, cursor: '' });
    for (const request of requests.slice(0, warmUp)) await connection.send(request);
    const each: StatementCounts[] = [];
    let bytes = 0;
    for (const request of requests.slice(warmUp, warmUp + counted)) {
      const before = { ...counts };
      const reply = await connection.send(request);
      expect(reply.status < 300 && !reply.hasErrors, reply.text()).toBe(true);
      bytes += reply.bytes;
      const { statements, prepared } = counts;
      each.push({ statements: statements - before.statements, prepared: prepared - before.prepared });
    }
    return {
      statements: median(each.map(({ statements }) => statements)),
      prepared: median(each.map(({ prepared }) => prepared)),
      bytes: Math.round(bytes / counted),
    };
  }
});

/**
 * The smallest of several requests, because the key is looked up again twice a second, which may affect any of them on
 * a busy machine.
 */
const median = (counts: readonly number[]): number => counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 0;

function committedOf(provider: Provider, name: WorkloadName): RequestFigures {
  const figures = committedFigures().requests[provider][name];
  if (!figures) throw new Error(`test/bench/figures.json has no ${name} on ${provider}`);
  return figures;
}
