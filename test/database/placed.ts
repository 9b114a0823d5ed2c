/** A database file in a place of its own, and the gateways that use it. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freshDatabaseUrl, freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { startProcess } from '../support/process.js';

export const path = '/api/stock/u-o-m-category';

export async function gatewayAt(databaseUrl: string): Promise<TestGateway> {
  const gateway = await startGateway({ env: { DATABASE_URL: databaseUrl } });
  onTestFinished(() => gateway.close().catch(() => undefined));
  return gateway;
}

/** A database in a folder of its own within another one. */
export async function place() {
  const above = freshFolder();
  const folder = join(above, 'data');
  mkdirSync(folder);
  const file = join(folder, 'records.db');
  copyFileSync((await freshDatabaseUrl('sqlite')).slice('file:'.length), file);
  return { above, folder, file };
}

export async function readiness(gateway: TestGateway): Promise<number> {
  // One answer is good for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  return (await gateway.rest('GET', '/readyz')).status;
}

/** The open files of a process by this name. */
export function openFiles(pid: number, name: string): string[] {
  try {
    const links = readdirSync(`/proc/${pid}/fd`).map((number) => `/proc/${pid}/fd/${number}`);
    return links.filter((link) => existsSync(link) && readlinkSync(link) === name);
  } catch {
    return []; // It has ended meanwhile.
  }
}

export type Place = Awaited<ReturnType<typeof place>>;

/** A gateway in processes of its own at a database file, and requests to it. */
export async function processAt(file: string, workers = '2') {
  const key = 'brg_of_this_test_only_00000';
  const gateway = startProcess({ DATABASE_URL: `file:${file}`, API_KEY: key, WORKERS: workers });
  onTestFinished(() => void gateway.child.kill('SIGKILL'));
  const address = await gateway.ready();
  const serving = () => gateway.log().match(/A worker serves/g)?.length ?? 0;
  if (workers !== '1') await expect.poll(serving, { timeout: 30_000 }).toBe(Number(workers));
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const ask = (init: RequestInit = {}) => fetch(`${address}${path}`, { headers, ...init });
  const create = (name = 'a') => ask({ method: 'POST', body: JSON.stringify({ category_name: name }) });
  return { gateway, address, ask, create };
}
