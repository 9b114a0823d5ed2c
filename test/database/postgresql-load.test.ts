import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { databaseProblem } from '../../src/database/database-problem.js';
import { openDatabase } from '../../src/database/open-database.js';
import { freshDatabaseUrl } from '../support/database.js';

test('connections killed while callers queue for them end calls, not the process', async () => {
  const url = await freshDatabaseUrl('postgresql');
  const database = await openDatabase({ url, migrate: false });
  onTestFinished(() => database.close());
  const administrator = new pg.Client(inject('testRun').postgresqlUrl);
  await administrator.connect();
  onTestFinished(() => administrator.end());
  const problems = new Set<string | undefined>();
  let going = true;

  // More callers than connections: a freed connection has a new owner before its last message has been read.
  const callers = Array.from({ length: 40 }, async () => {
    while (going) {
      await database.transaction((tx) => tx.apiKey.count()).catch((error) => problems.add(databaseProblem(error)));
    }
  });
  for (let times = 0; times < 30; times++) {
    const sessions = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`;
    await administrator.query(sessions, [new URL(url).pathname.slice(1)]);
    await sleep(50);
  }
  going = false;
  await Promise.all(callers);

  await database.ping();
  // On a busy machine some wait too long for a connection.
  expect([...problems].filter((problem) => problem !== 'database_unavailable' && problem !== 'busy')).toEqual([]);
});
