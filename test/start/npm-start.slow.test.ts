import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshDatabaseUrl } from '../support/database.js';
import { asOrdinaryUser } from '../support/ordinary-user.js';
import { run } from '../support/process.js';
import { projectCopy } from '../support/project-copy.js';

test('npm start builds the gateway, starts what it built, and hands it the signal to stop; a user who may not write starts it too', async () => {
  const project = projectCopy();
  const dist = join(project, 'dist');
  await startAndStop(['npm', '--prefix', project, 'start']);

  const built = statSync(join(dist, 'src/main.js')).mtimeMs;
  chmodSync(dist, 0o555);
  await startAndStop([...asOrdinaryUser, 'npm', '--prefix', project, 'start']);
  expect(statSync(join(dist, 'src/main.js')).mtimeMs).toBe(built);

  const source = join(project, 'src/gateway/start/listen.ts');
  writeFileSync(source, `${readFileSync(source, 'utf8')}// A change.\n`);
  const [command = '', ...parameters] = [...asOrdinaryUser, 'npm', '--prefix', project, 'start'];
  const { status, stderr } = spawnSync(command, parameters, { encoding: 'utf8' });
  expect(status).not.toBe(0);
  expect(stderr).toMatch(
    /^The gateway has to be built from its sources first, and this user may not write .*dist \(EACCES.*\)\. Run `npm run build` as the user who may; then `npm start` works for others too\.$/m,
  );
  expect(statSync(join(dist, 'src/main.js')).mtimeMs).toBe(built);
});

async function startAndStop([command = '', ...parameters]: string[]): Promise<void> {
  const gateway = run(command, parameters, { DATABASE_URL: await freshDatabaseUrl('sqlite') });
  try {
    const url = await gateway.ready();
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ok' });
    await openPage(url);
    gateway.child.kill('SIGTERM');
    expect(await gateway.ended).toBe(0);
    expect(gateway.log()).toContain('Stopped');
  } finally {
    gateway.child.kill('SIGKILL');
  }
}

/** Its script is served as it was built: compressed, with a long cache time. */
async function openPage(url: string): Promise<void> {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  for (const encoding of ['br', 'gzip']) {
    const address = new URL(/src="(pages\/app-\w+\.js)"/.exec(page)?.[1] ?? '', url);
    const script = await fetch(address, { headers: { 'accept-encoding': encoding } });
    expect(script.status).toBe(200);
    expect(script.headers.get('content-encoding')).toBe(encoding);
    expect(script.headers.get('cache-control')).toContain('immutable');
    const [, chunk] = /from"(\.\/chunk-\w+\.js)"/.exec(await script.text()) ?? [];
    expect((await fetch(new URL(chunk ?? 'none', address))).status).toBe(200);
  }
}
