/** `dist` works on its own: copied elsewhere, read-only, as another user, without npm. */
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { safeLibrary } from '../../src/database/sqlite/sqlite-library.js';
import { freshFolder } from '../support/database.js';
import { asNobody, nobody, openToNobody } from '../support/ordinary-user.js';
import { type GatewayProcess, run } from '../support/process.js';
import { projectCopy } from '../support/project-copy.js';
import { makeReadOnly, makeWritable } from '../support/read-only.js';

const isRoot = process.getuid?.() === 0;

/** Bytes of all files in the folder. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, { size }) => sum + size, 0);
}

describe('the built folder', () => {
  let project: string;
  let folder: string;
  let data: string;
  beforeAll(() => {
    project = projectCopy();
    const { status, stderr } = spawnSync(process.execPath, ['src/build/build.mjs'], { cwd: project, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    const place = freshFolder();
    openToNobody(place);
    folder = join(place, 'gateway');
    cpSync(join(project, 'dist'), folder, { recursive: true });
    makeReadOnly(folder);
    data = join(place, 'data');
    mkdirSync(data);
    if (isRoot) chownSync(data, nobody, nobody);
  });
  afterAll(() => {
    makeWritable(folder);
    rmSync(folder, { recursive: true });
  });

  function records(...words: string[]): GatewayProcess {
    const [command = '', ...parameters] = [...asNobody, process.execPath, join(folder, 'src/main.js'), ...words];
    return run(command, parameters, { DATABASE_URL: `file:${join(data, 'records.db')}`, LOG_LEVEL: 'warn' });
  }

  async function printed(...words: string[]): Promise<string> {
    const command = records(...words);
    expect(await command.ended, command.log()).toBe(0);
    return command.output();
  }

  test('is small, and holds no source of the tests and no development package', () => {
    expect(sizeOf(folder)).toBeLessThan(60_000_000);
    const library = safeLibrary();
    const itsParts = library === 'better-sqlite3' ? ['bindings', 'file-uri-to-path'] : [];
    const packages = ['@opentelemetry', library, ...itsParts, 'yaml'];
    expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(packages);
    // npm removes what is not listed when it installs another package.
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const listed = Object.keys(dependencies).map((name) => name.replace(/\/.*/, ''));
    expect(listed.sort()).toEqual(packages);
    expect(existsSync(join(folder, 'test'))).toBe(false);
  });

  test('migrates, manages keys, and serves REST, GraphQL, the pages and the descriptions', async () => {
    expect(await printed('migrate', 'apply')).toMatch(/Applied the migration [\s\S]*The database is up to date\.\n$/);
    const { secret } = JSON.parse(await printed('keys', 'create', 'a client', '--scopes', '*', '--json'));
    expect(await printed('webhooks', 'list')).toContain('There is no webhook');

    const gateway = records('serve');
    try {
      const url = await gateway.ready();
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ asset: 'LATHE-7', failure_date: '2026-11-20' });
      const made = await fetch(`${url}/api/assets/asset-repair`, { method: 'POST', headers, body });
      expect(made.status).toBe(201);
      const query = JSON.stringify({ query: '{ assetRepairs { nodes { asset displayTitle } } }' });
      const answer = await (await fetch(`${url}/graphql`, { method: 'POST', headers, body: query })).json();
      expect(answer.data.assetRepairs.nodes).toMatchObject([{ asset: 'LATHE-7' }]);

      const page = await (await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } })).text();
      const script = await fetch(new URL(/src="\/?(pages\/app-\w+\.js)"/.exec(page)?.[1] ?? '', `${url}/`));
      expect(script.status).toBe(200);
      const graphiql = /graphiql-js-[\w-]+\.js/.exec(page)?.[0] ?? 'none';
      expect((await fetch(`${url}/pages/${graphiql}`)).status).toBe(200);
      for (const path of ['/openapi.json', '/openapi.yaml', '/schema.graphql', '/readyz']) {
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
      }
      expect((await fetch(`${url}/openapi.yaml`).then((answer) => answer.text())).slice(0, 8)).toBe('openapi:');
    } finally {
      gateway.child.kill('SIGTERM');
      expect(await gateway.ended).toBe(0);
    }
  });

  test('without development packages a checkout runs what was built, and says so where nothing was', () => {
    rmSync(join(project, 'node_modules'));
    const node = (...words: string[]) => spawnSync(process.execPath, words, { cwd: project, encoding: 'utf8' });
    expect(node('src/build/prepare.mjs')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(node('src/build/records.mjs', 'config')).toMatchObject({ status: 0, stderr: '' });
    rmSync(join(project, 'dist', 'made-of.txt'));
    const refused = node('src/build/records.mjs', 'config');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^The folder dist is missing, or .* `npm ci && npm run build`, or copy .*\n$/);
  });
});
