/** Generators of clients and types: what they make of the descriptions compiles, and a program on it does a round. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Described, program, run, startDescribed } from './described.js';

let described: Described;
beforeAll(async () => {
  described = await startDescribed();
});
afterAll(() => described?.close());

const ofRest = ['hey-api', 'orval', 'kubb', 'openapi-zod-client', 'modelina'];
const ofGraphql = ['genql', 'gql.tada'];

/** A record is created, read, listed, changed by its version and again by the old one, deleted and read; `null` is typed. */
test.each([...ofRest, ...ofGraphql])('%s: what it generates compiles, and does a round', async (generator) => {
  const { folder, gateway } = described;
  const description = ofRest.includes(generator) ? described.openapi : described.graphql;
  const [generated, round] = [join(folder, generator, 'generated'), join(folder, generator, 'round.ts')];
  mkdirSync(generated, { recursive: true });
  copyFileSync(`test/tools/rounds/${generator}.ts`, round);
  const printed = await program('generate', [generator, description, generated, gateway.url]);
  expect(printed).not.toMatch(/error|warn/i);
  expect(await compile(round)).toBe('');
  const done = await run(['--import', 'tsx', round, gateway.url, gateway.key]);
  const { created, read, list, updated, stale, deleted, gone } = JSON.parse(done);
  // As `repair_cost` or `repairCost`, in the list of REST or of GraphQL.
  const costs = [created, updated].map((record) => record.repair_cost ?? record.repairCost);
  const listed = [(list.data ?? list.nodes)[0].asset, list.total ?? list.totalCount];
  expect([read.asset, updated.company, costs, listed]).toEqual(['LATHE-7', null, [0, 80], ['LATHE-7', 1]]);
  expect(read.status).toBe(ofGraphql.includes(generator) ? 'DRAFT' : 'draft');
  expect([stale, deleted.deleted, gone]).toEqual([true, true, true]);
});

/** The output of tsc for a program and all that it imports. Declarations are not checked: only packages have some. */
async function compile(file: string): Promise<string> {
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const flags = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'preserve', '--target', 'es2023'];
  return run([tsc, ...flags, '--types', 'node', file]).catch((error) => String(error.stdout));
}
