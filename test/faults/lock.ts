/** Another process holds SQLite's write lock for three seconds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlitePath } from '../../src/database/sqlite/open-sqlite.js';
import { Sqlite } from '../support/sqlite-library.js';
import type { Fault } from './fault.js';
import { startGateway } from './gateway-process.js';
import { atLeast, below, exactly } from './report.js';

const held = 3000;

export const lock: Fault = {
  title: 'a lock held for 3 s by another process',
  async run(place, report) {
    const databaseUrl = await place.database('sqlite');
    const gateway = await startGateway({ databaseUrl });
    const create = () => gateway.send('POST', '/api/stock/u-o-m-category', { category_name: 'x' });
    await create();

    const holder = new Sqlite(sqlitePath(databaseUrl));
    holder.exec('BEGIN IMMEDIATE');
    const startedAt = performance.now();
    const writes = Array.from({ length: 20 }, create);
    const answered = Promise.all(writes);
    const health: number[] = [];
    const reads: number[] = [];
    let readsFailed = 0;
    while (performance.now() - startedAt < held) {
      health.push((await gateway.send('GET', '/healthz')).milliseconds);
      const read = await gateway.send('GET', '/api/stock/u-o-m-category');
      reads.push(read.milliseconds);
      if (read.status !== 200) readsFailed++;
      await sleep(20);
    }
    holder.exec('ROLLBACK');
    holder.close();
    const answers = await answered;
    await gateway.stop();

    report.figure('slowest /healthz', Math.max(...health), below(100, ' ms'), ' ms');
    report.figure('slowest read of a page', Math.max(...reads), below(500, ' ms'), ' ms');
    report.figure('reads that failed', readsFailed, exactly(0));
    report.figure(
      'writes that waited',
      answers.filter(({ milliseconds }) => milliseconds > held / 2).length,
      atLeast(20),
    );
    report.figure('of them not acknowledged', answers.filter(({ status }) => status !== 201).length, exactly(0));
  },
};
