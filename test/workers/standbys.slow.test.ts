/** Several workers whose reads a standby answers that is far behind: a key reads its own writes through any of them. */
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/database/open-database.js';
import { providers } from '../support/database.js';
import { type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { makeStandby, replicated, type StandbyServer } from '../support/standby.js';
import { path, startWorkers, type Workers } from './workers.js';

let primary: PostgresqlServer;
let standby: StandbyServer;

/** What one statement gives. */
async function answerOf({ url }: { url: string }, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows[0]?.[0];
  } finally {
    await client.end();
  }
}

/** From now on the standby does not change. */
async function pauseReplay(): Promise<void> {
  await answerOf(standby, 'SELECT pg_wal_replay_pause()');
  onTestFinished(async () => void (await answerOf(standby, 'SELECT pg_wal_replay_resume()')));
  await expect.poll(() => answerOf(standby, 'SELECT pg_get_wal_replay_pause_state()')).toBe('paused');
}

/** A connection to each of both workers. */
async function connectionsTo(workers: Workers): Promise<[Agent, Agent]> {
  const found = new Map<number, Agent>();
  while (found.size < 2) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const number = await workers.workerOf(await workers.send({ agent }));
    if (!found.has(number)) found.set(number, agent);
  }
  const [one = expect.unreachable(), other = expect.unreachable()] = found.values();
  return [one, other];
}

/** Two workers, and a record that the standby has. */
async function startBoth() {
  const workers = await startWorkers('postgresql', { DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url });
  const query = 'mutation { made: createApiKey(input: { name: "guest", scopes: ["*"] }) { secret } }';
  const made = await workers.send({ method: 'POST', path: '/graphql', body: { query } });
  const authorization = `Bearer ${made.body.data.made.secret}`;
  const { body } = await workers.send({ method: 'POST', body: { industry: 'first' } });
  const at = `${path}/${body.id}`;
  const look = { query: `{ industryType(id: "${body.id}") { industry } }` };
  const position = await answerOf(primary, 'SELECT pg_current_wal_insert_lsn()::text');
  await expect.poll(() => answerOf(standby, `SELECT pg_last_wal_replay_lsn() >= '${position}'`)).toBe(true);
  return {
    workers,
    rename: async (agent: Agent, industry: string): Promise<string> => {
      const answer = await workers.send({ method: 'PATCH', path: at, body: { industry }, agent });
      expect(answer.status).toBe(200);
      return String(answer.headers['read-after']);
    },
    read: async (agent: Agent): Promise<string> => (await workers.send({ path: at, agent })).body.industry,
    ask: async (agent: Agent): Promise<string> =>
      (await workers.send({ method: 'POST', path: '/graphql', body: look, agent })).body.data.industryType.industry,
    /** Reads with a key that has written nothing: what it sees is what the standby shows. */
    guest: async (agent: Agent, headers: Record<string, string> = {}): Promise<string> =>
      (await workers.send({ path: at, agent, headers: { authorization, ...headers } })).body.industry,
  };
}

describe.runIf(providers.includes('postgresql'))('on postgresql', () => {
  beforeAll(async () => {
    primary = await startPostgresql({ flags: replicated });
    await (await openDatabase({ url: primary.url, migrate: true })).close();
    await primary.pause();
    standby = await makeStandby(primary, 'one', ['-c', 'max_standby_streaming_delay=-1']);
    await primary.resume();
    await standby.start();
  });
  afterAll(async () => {
    await standby?.remove();
    await primary?.stop();
  });

  test('what a key has written by way of one worker, it reads by way of the other', async () => {
    const { workers, rename, read, ask, guest } = await startBoth();
    const [one, other] = await connectionsTo(workers);
    await pauseReplay();
    for (let round = 0; round < 20; round++) {
      const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one];
      await rename(writer, `round ${round}`);
      expect([await read(reader), await ask(reader), await read(writer)]).toEqual(Array(3).fill(`round ${round}`));
      if (round < 2) expect([await guest(one), await guest(other)]).toEqual(['first', 'first']);
    }
  });

  test('who has seen it by way of one worker sees nothing older by way of the other', async () => {
    const { workers, rename, guest } = await startBoth();
    const [one, other] = await connectionsTo(workers);
    await pauseReplay();
    const after = await rename(one, 'second');
    expect([await guest(one), await guest(other)]).toEqual(['first', 'first']);
    expect([await guest(one, { 'read-after': after }), await guest(other)]).toEqual(['second', 'second']);
  });

  test('what a worker has acknowledged is known when it was killed, and when all were replaced', async () => {
    const { workers, rename, read, guest } = await startBoth();
    const [one, other] = await connectionsTo(workers);
    const number = await workers.workerOf(await workers.send({ agent: one }));
    const pid = (await workers.served(2)).find(({ worker }) => worker === number)?.pid;
    await pauseReplay();
    await rename(one, 'last words');
    process.kill(Number(pid), 'SIGKILL');
    expect([await guest(other), await read(other)]).toEqual(['first', 'last words']);
    await workers.served(3);
    // Workers leave when nobody is connected to them any more.
    for (const agent of [one, other]) agent.destroy();
    workers.gateway.child.kill('SIGUSR2');
    await expect.poll(() => workers.lines('Every worker was replaced').length, { timeout: 60_000 }).toBe(1);
    const [third, fourth] = await connectionsTo(workers);
    await rename(third, 'second words');
    expect([await read(fourth), await read(third)]).toEqual(['second words', 'second words']);
  });

  test('where the gateway began without standbys, workers that take the place of others have none either', async () => {
    const workers = await startWorkers('postgresql', { DATABASE_URL: primary.url }, ['LOG_LEVEL=info']);
    const readAfter = async () =>
      (await workers.send({ method: 'POST', body: { industry: 'any' } })).headers['read-after'];
    writeFileSync(join(workers.gateway.folder, '.env'), `DATABASE_READ_URL=${standby.url}`);
    workers.gateway.child.kill('SIGUSR2');
    await expect.poll(() => workers.lines('Every worker was replaced').length, { timeout: 60_000 }).toBe(1);
    expect(await readAfter()).toBeUndefined();
    workers.gateway.child.kill('SIGHUP');
    const waiting = () =>
      workers.lines('These settings have changed and need a new start').map(({ settings }) => settings);
    await expect.poll(waiting).toEqual([['DATABASE_READ_URL'], ['DATABASE_READ_URL']]);
  });
});
