import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startGateway } from '../support/gateway.js';

async function linted(openapi: object): Promise<{ severity: string; ruleId: string }[]> {
  const file = join(inject('testRun').folder, 'linted.json');
  writeFileSync(file, JSON.stringify(openapi));
  const program = new URL('linted.mjs', import.meta.url).pathname;
  return JSON.parse((await promisify(execFile)(process.execPath, [program, file])).stdout);
}

test('the OpenAPI description is without a fault by the rules that Redocly recommends', async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.close());
  const openapi = (await gateway.rest('GET', '/openapi.json')).body;
  const found = await linted(openapi);
  expect(found).toEqual([]);
  const broken = await linted({ ...openapi, info: { title: 1 } });
  expect(broken.some(({ severity }) => severity === 'error')).toBe(true);
});
