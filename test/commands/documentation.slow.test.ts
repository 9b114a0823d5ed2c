/** The commands that the pages show, run by a shell in their order. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { webhookSettings } from '../features/webhooks/deliverer.js';
import { emptyDatabaseUrl, freshDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { v8Flags } from '../support/v8-flags.js';

const pageNamed = (name: string) => readFileSync(`docs/${name}.md`, 'utf8');

/** The lines of the code blocks of a page that call `records`. */
const commandsOf = (page: string): string[] =>
  [...page.matchAll(/```(?:sh|text)\n([\s\S]*?)```/g)]
    .flatMap(([, block = '']) => block.split('\n'))
    .filter((line) => /^(npx )?records |\| records /.test(line));

/** The contents of the first block behind `start`. */
const blockBehind = (page: string, start: string): string =>
  /```\w+\n([\s\S]*?)```/.exec(page.slice(page.indexOf(start)))?.[1] ?? '';

/** The folder of the commands for one database: later ones read the files of earlier ones. */
let folder: string;

/** Runs a line as it is typed where `records` is installed. */
async function typed(line: string, environment: Record<string, string>) {
  const main = join(inject('testRun').built, 'src/main.js');
  const program = `set -o pipefail; records() { '${process.execPath}' ${v8Flags.join(' ')} '${main}' "$@"; }; npx() { "$@"; }; `;
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
  const child = spawn('bash', ['-c', program + line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, problem, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { line, code, output, problem };
}

describe.each(providers)('on %s', (provider) => {
  let filled: string;
  beforeAll(async () => {
    folder = freshFolder();
    filled = await freshDatabaseUrl(provider);
  });

  test('webhooks are managed as the page on webhooks shows', async () => {
    const settings = { ...webhookSettings, DATABASE_URL: filled };
    const { output } = await typed(`records keys create reader --scopes '*'`, settings);
    const key = /brg_\w{12}/.exec(output)?.[0] ?? '';
    let id = '';
    const commands = commandsOf(pageNamed('webhooks'));
    expect(commands.length).toBeGreaterThanOrEqual(10);
    for (const command of commands) {
      const known = command.replace('brg_0123456789ab', key).replaceAll('wh_0123456789ab', id).replace('4711', '0');
      const ended = await typed(known, settings);
      // No gateway runs here, so nothing was delivered that could be delivered again.
      const isMissing = command.includes('redeliver');
      expect(ended).toMatchObject({
        code: isMissing ? 1 : 0,
        problem: isMissing ? expect.stringContaining('no message') : '',
      });
      id ||= /wh_\w{12}/.exec(ended.output)?.[0] ?? '';
    }
  });

  test('records are exported and imported as the page on data shows', async () => {
    const commands = commandsOf(pageNamed('data'));
    expect(commands.length).toBeGreaterThanOrEqual(9);
    expect(await typed('records seed --records 60 --quiet', { DATABASE_URL: filled })).toMatchObject({ code: 0 });
    for (const command of commands) {
      const isImport = command.includes('records import');
      const url = isImport ? await freshDatabaseUrl(provider) : filled;
      const ended = await typed(command, { DATABASE_URL: url });
      expect(ended).toMatchObject({ code: 0 });
      if (isImport) expect(ended.output).toMatch(/mported [1-9]\d* documents, 0 unchanged, 0 lines refused/);
    }
  });

  test('the files that the page on data shows are imported', async () => {
    const page = pageNamed('data');
    const url = { DATABASE_URL: await emptyDatabaseUrl(provider) };
    await typed('records migrate apply', url);
    writeFileSync(join(folder, 'shown.jsonl'), blockBehind(page, '## The form'));
    writeFileSync(join(folder, 'shown.csv'), blockBehind(page, 'CSV (RFC 4180)'));
    expect(await typed('records import shown.jsonl', url)).toMatchObject({
      output: expect.stringContaining('Imported 1 document,'),
    });
    expect(await typed('records import shown.csv --csv AssetRepair', url)).toMatchObject({
      output: expect.stringContaining('Imported 2 documents'),
    });
    const { output } = await typed('records export -', url);
    const documents = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(documents[0]).toMatchObject(JSON.parse(blockBehind(page, '## The form')));
    const lines = documents.map(({ asset, consumedItems }) => [asset, consumedItems.length]);
    expect(lines.sort()).toEqual([
      ['LATHE-7', 1],
      ['LATHE-7', 2],
      ['LATHE-8', 0],
    ]);
  });
});
