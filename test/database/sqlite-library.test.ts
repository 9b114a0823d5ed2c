import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { safeLibrary } from '../../src/database/sqlite/sqlite-library.js';
import { freshFolder } from '../support/database.js';
import { apiKey, safeClient, stockClient } from '../support/sqlite.js';

test('version 13 is loaded where Node has Node-API 10, and version 12 before', () => {
  // 9: Node 20.19 and 22.13; 10: Node 22.14, 24.21 and 26.10.
  expect(['9', '10', '11'].map((nodeApi) => safeLibrary(nodeApi))).toEqual([
    'better-sqlite3',
    'better-sqlite3-13',
    'better-sqlite3-13',
  ]);
});

test('where the safe one is not there, SQLite is refused, and the other one is not loaded', () => {
  const { built } = inject('testRun');
  const folder = join(freshFolder(), 'gateway');
  cpSync(built, folder, { recursive: true, filter: (path) => !path.startsWith(join(built, 'node_modules')) });
  rmSync(join(folder, 'node_modules'), { force: true });
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'src/main.js'), 'serve'], {
    cwd: freshFolder(),
    env: { PATH: process.env.PATH, PORT: '0' },
    encoding: 'utf8',
  });
  expect(stderr).toMatch(
    new RegExp(`Node ${process.versions.node} needs the package ${safeLibrary()} for SQLite, and`),
  );
  expect(stderr).not.toContain('    at ');
  expect(status).not.toBe(0);
});

test("this process holds the safe one's native code and no other, where Prisma's own adapter works in it too", async () => {
  for (const { client } of [await safeClient(), await stockClient()]) {
    await client.apiKey.create({ data: apiKey('own') });
    expect(await client.apiKey.count()).toBe(1);
  }
  const loaded = JSON.stringify(process.report.getReport()).match(
    /(?<=node_modules\/)better-sqlite3[^/]*(?=\/[^"]*\.node")/g,
  );
  expect([...new Set(loaded)]).toEqual([safeLibrary()]);
});
