/** The commands that docs/deploy.md gives for a plain server, run on another root: install, upgrade, and back in one step. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { textOf } from './deploy-files.js';

/** The lines of the section that begin with `sudo` and write to /opt, each as it is typed. */
const section = textOf('deploy.md').split('## A plain server')[1]?.split('\n## ')[0] ?? '';
const commands = section
  .split('\n')
  .filter((line) => /^sudo (mkdir|cp -rT|ln) /.test(line))
  .map((line) =>
    line
      .replaceAll('sudo ', '')
      .replace(/ && systemctl restart records/, '')
      .replace(/ +#.*/, ''),
  );

test('the version that runs is the one that was installed last, and going back is one step', () => {
  const folder = freshFolder();
  mkdirSync(join(folder, 'opt'));
  const ran: string[] = [];
  const run = (command: string) => {
    const { status, stderr } = spawnSync('sh', ['-c', command.replaceAll('/opt/', `${folder}/opt/`)], { cwd: folder });
    expect([command, status, String(stderr)]).toEqual([command, 0, '']);
    ran.push(command);
  };
  const build = (version: string) => {
    mkdirSync(join(folder, 'dist'), { recursive: true });
    writeFileSync(join(folder, 'dist/version'), version);
  };
  const running = () => readFileSync(join(folder, 'opt/records/version'), 'utf8');
  const [make, first, link, second, forward, back] = commands;

  build('one');
  for (const command of [make, first, link]) run(command ?? 'none');
  expect(running()).toBe('one');
  build('two');
  run(second ?? 'none');
  expect(running()).toBe('one');
  run(forward ?? 'none');
  expect(running()).toBe('two');
  run(back ?? 'none');
  expect(running()).toBe('one');
  // A version that is copied again, after a copy that broke off, lies where the first one lay.
  build('two again');
  run(second ?? 'none');
  run(forward ?? 'none');
  expect(running()).toBe('two again');
  expect(new Set(ran)).toEqual(new Set(commands));
});
