/** What root's commands leave beside a service of another user can be used by that user. Under any other user than root nothing is asked. */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { asNobody, nobody, openToNobody } from '../support/ordinary-user.js';
import { type GatewayProcess, run } from '../support/process.js';
import { Sqlite } from '../support/sqlite-library.js';
import { records } from './records.js';

const isRoot = process.getuid?.() === 0;

/** A folder of `nobody`. */
function folderOfNobody(): string {
  const place = freshFolder();
  openToNobody(place);
  openToNobody(join(inject('testRun').built, 'src'));
  const folder = join(place, 'data');
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, nobody, nobody);
  return folder;
}

const ownersIn = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [name, statSync(join(folder, name)).uid]),
  );

async function serveAsNobody(DATABASE_URL: string): Promise<GatewayProcess> {
  const [command = '', ...parameters] = [...asNobody, process.execPath, join(inject('testRun').built, 'src/main.js')];
  const gateway = run(command, [...parameters, 'serve'], { DATABASE_URL });
  onTestFinished(() => void gateway.child.kill('SIGKILL'));
  await gateway.ready();
  return gateway;
}

async function asRoot(environment: Record<string, string>, ...words: string[]): Promise<void> {
  const { code, problem } = await records(words, environment);
  expect(code, problem).toBe(0);
}

test.runIf(isRoot)(
  'the commands of root beside a service of another user leave nothing that it cannot open',
  async () => {
    const folder = folderOfNobody();
    const DATABASE_URL = `file:${join(folder, 'deeper', 'still', 'records.db')}`;
    await asRoot({ DATABASE_URL }, 'migrate', 'apply');
    await asRoot({ DATABASE_URL }, 'seed', '--records', '50');
    const path = join(folder, 'deeper', 'still', 'records.db');
    const other = new Sqlite(path);
    other.exec('CREATE TABLE "leaves a log" (x)');
    expect(ownersIn(folder)).toEqual({
      deeper: nobody,
      'deeper/still': nobody,
      'deeper/still/records.db': nobody,
      'deeper/still/records.db-shm': nobody,
      'deeper/still/records.db-wal': nobody,
    });
    other.close();
    const gateway = await serveAsNobody(DATABASE_URL);
    const elsewhere = freshFolder();
    const line = { __typename: 'AssetRepair', asset: 'A', failureDate: '2026-01-01' };
    writeFileSync(join(elsewhere, 'in.jsonl'), JSON.stringify(line));
    await asRoot({ DATABASE_URL }, 'import', join(elsewhere, 'in.jsonl'));
    await asRoot({ DATABASE_URL }, 'export', join(elsewhere, 'out.jsonl'));
    await asRoot({ DATABASE_URL }, 'keys', 'create', 'of root', '--scopes', 'crm:read');
    await asRoot({ DATABASE_URL }, 'check', '--fix');
    await asRoot({ DATABASE_URL }, 'backup', join(elsewhere, 'copy.db'));
    expect(new Set(Object.values(ownersIn(folder)))).toEqual(new Set([nobody]));
    gateway.child.kill();
    expect(await gateway.ended).toBe(0);
    await asRoot({ DATABASE_URL }, 'check');
    expect(new Set(Object.values(ownersIn(folder)))).toEqual(new Set([nobody]));
    await serveAsNobody(DATABASE_URL);
  },
);

test.runIf(isRoot)(
  'a restore by root has the owner and the permissions of what it replaces, or the owner of the folder',
  async () => {
    const folder = folderOfNobody();
    const path = join(folder, 'records.db');
    const DATABASE_URL = `file:${path}`;
    const file = join(freshFolder(), 'copy.db');
    const source = `file:${join(freshFolder(), 'records.db')}`;
    await asRoot({ DATABASE_URL: source }, 'migrate', 'apply');
    await asRoot({ DATABASE_URL: source }, 'backup', file);

    await asRoot({ DATABASE_URL }, 'restore', file);
    const parts = () => [statSync(path).uid, statSync(path).gid, (statSync(path).mode & 0o777).toString(8)];
    expect(parts()).toEqual([nobody, nobody, '600']);

    const group = 12_345;
    chownSync(path, nobody, group);
    chmodSync(path, 0o640);
    const link = join(freshFolder(), 'link.db');
    symlinkSync(path, link);
    await asRoot({ DATABASE_URL: `file:${link}` }, 'restore', file, '--replace');
    expect(parts()).toEqual([nobody, group, '640']);
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(readdirSync(folder).filter((name) => name.includes('.replaced-'))).toHaveLength(1);
    await serveAsNobody(DATABASE_URL);
  },
);
