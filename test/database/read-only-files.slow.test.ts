/** The commands that only read, for a user who may write neither the database file nor its folder. */
import { chmodSync, existsSync, readdirSync, watch as watchFolder } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js';
import { freshFolder } from '../support/database.js';
import { asNobody, openToNobody } from '../support/ordinary-user.js';
import { run } from '../support/process.js';
import { place, processAt } from './placed.js';

async function recordsAsNobody(file: string, ...words: string[]) {
  const main = join(inject('testRun').built, 'src/main.js');
  openToNobody(dirname(main));
  const [command = '', ...parameters] = [...asNobody, process.execPath, main, ...words];
  const made = run(command, parameters, { DATABASE_URL: `file:${file}`, TMPDIR: temporary });
  return { code: await made.ended, output: made.output(), log: made.log() };
}

const temporary = freshFolder();
chmodSync(temporary, 0o777);

test.each([
  ['closed', []],
  ['killed', ['-shm', '-wal']],
])(
  'what only reads reads what cannot be written, left by a gateway that was %s',
  async (how, endings) => {
    const { file, folder } = await place();
    const { gateway, create } = await processAt(file, '1');
    for (let n = 0; n < 3; n++) expect((await create('Mass')).status).toBe(201);
    gateway.child.kill(how === 'closed' ? 'SIGTERM' : 'SIGKILL');
    await gateway.ended;
    expect(['-shm', '-wal'].filter((ending) => existsSync(file + ending))).toEqual(endings);
    openToNobody(folder);
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
    chmodSync(folder, 0o555);
    onTestFinished(() => chmodSync(folder, 0o755));

    expect(await recordsAsNobody(file, 'check')).toMatchObject({ code: 0 });
    for (const words of [['keys', 'list'], ['usage'], ['webhooks', 'list']]) {
      expect(await recordsAsNobody(file, ...words), words.join(' ')).toMatchObject({ code: 0, log: '' });
    }
    const exported = await recordsAsNobody(file, 'export', '-', '--types', 'UOMCategory');
    expect([exported.code, exported.output.match(/Mass/g)?.length]).toEqual([0, 3]);
    expect(await recordsAsNobody(file, 'backup', join(temporary, `${how}.db`))).toMatchObject({ code: 0 });
    const copy = new SqliteConnection(join(temporary, `${how}.db`));
    expect(copy.rows('SELECT count(*) FROM "UOMCategory"', [])).toEqual([[3n]]);
    copy.close();
    expect(readdirSync(temporary).filter((name) => name.startsWith('records-'))).toEqual([]);

    const made: (string | null)[] = [];
    const watch = watchFolder(temporary, (_event, name) => made.push(name));
    const started = await recordsAsNobody(file, 'serve');
    watch.close();
    expect([started.code, started.log]).toEqual([1, expect.stringMatching(/Let this user .*write the file and its/)]);
    // It is refused without a copy, which may be of any size.
    expect(made.filter((name) => name?.startsWith('records-'))).toEqual([]);

    const imported = await recordsAsNobody(file, 'keys', 'create', 'name', '--scopes', '*');
    expect([imported.code, imported.log]).toEqual([1, expect.stringMatching(/Let this user .*write the file and its/)]);
  },
  60_000,
);
