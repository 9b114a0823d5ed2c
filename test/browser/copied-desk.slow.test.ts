/** The folder of the example front end works alone: copied to where there is no gateway's source, as its README says. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { freshFolder } from '../support/database.js';
import { startGateway } from '../support/gateway.js';

const example = fileURLToPath(new URL('../../examples/repair-desk', import.meta.url));
const made = ['node_modules', 'generated', 'dist'];

test('it installs, tests and builds with nothing but the address of a gateway', async () => {
  const gateway = await startGateway();
  const folder = freshFolder();
  cpSync(example, folder, { recursive: true, filter: (path) => !made.includes(basename(path)) });
  const run = (...words: string[]) =>
    promisify(execFile)('npm', words, { cwd: folder, env: { ...process.env, GATEWAY_URL: gateway.url } });
  await run('ci', '--prefer-offline', '--no-audit', '--no-fund');
  expect((await run('test')).stdout).toMatch(/Tests.* passed/);
  await run('run', 'build');
  expect(existsSync(join(folder, 'dist/index.html'))).toBe(true);
  await gateway.close();
});
