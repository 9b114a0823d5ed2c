/** The help of every command, as docs/commands.md shows it and as it is printed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startRecords } from '../support/process.js';
import { commandHelp, withHelp } from './help.js';
import { records } from './records.js';

test('the help texts stand in docs/commands.md, which `npm run readme` writes', () => {
  const page = readFileSync('docs/commands.md', 'utf8');
  expect(withHelp(page)).toBe(page);
});

test.each(commandHelp())('records $name --help prints what is documented', async ({ name, text }) => {
  expect(await records([...name.split(' ').filter(Boolean), '--help'])).toEqual({ code: 0, text, problem: '' });
});

test('records --version prints the version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await records(['--version'])).toEqual({ code: 0, text: `${version}\n`, problem: '' });
});

test('no line of help is wider than 100 columns', () => {
  const wide = commandHelp().flatMap(({ text }) => text.split('\n').filter((line) => line.length > 100));
  expect(wide).toEqual([]);
});

test('an unknown command ends with 2, and the nearest one is suggested', async () => {
  const process = startRecords({}, ['key', 'list']);
  expect(await process.ended).toBe(2);
  expect(process.log()).toBe("error: unknown command 'key'\n(Did you mean keys?)\n`records --help` says how.\n");
  expect(process.output()).toBe('');
});
