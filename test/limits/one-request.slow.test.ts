/** One request uses at most what `docs/limits.md` says. */
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { poolPerLarge, poolPerRequest } from '../../src/database/postgresql/pool-share.js';
import { mostWaiting } from '../../src/gateway/http/answer/send.js';
import { BODY_LIMIT } from '../../src/gateway/http/read-body.js';
import { mostPreviews } from '../../src/graphql/limits/sizes.js';
import { mostRowsWritten } from '../../src/model/limits.js';
import { providers } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { fillStatement } from '../support/many-records.js';
import { resourceOf } from '../support/resources.js';
import { bytesOf, turnsDuring } from '../support/turns-during.js';

const rows = new Map(
  (/### What one request can use at most\n([\s\S]*?)\n\n[^|]/.exec(readFileSync('docs/limits.md', 'utf8'))?.[1] ?? '')
    .split('\n')
    .filter((line) => /^\| \w/.test(line))
    .map((line): [string, string] => [line.split('|')[1]?.trim() ?? '', line]),
);

const words = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const megabyte = 1024 * 1024;
/** The default number of connections to PostgreSQL. */
const pool = 10;

test.each([
  ['memory', `a body of ${BODY_LIMIT / megabyte} MB`],
  ['memory', `${mostWaiting.all / megabyte} MB of large answers`],
  ['connections', `${words[pool / poolPerRequest]} of ${words[pool]} for reads`],
  ['connections', `${words[pool / poolPerLarge]} for large results of all requests of its key`],
  ['the only writer', `at most ${mostRowsWritten.toLocaleString('en')} records and lines`],
  ['the only writer', `up to ${words[mostPreviews]} \`previewAction\``],
])('%s: %s', (row, text) => {
  expect(rows.get(row)).toContain(text);
});

describe.each(providers)('the event loop, on %s', (database) => {
  test.each([
    ['SQL', true],
    ['the resolvers', false],
  ])('is not held longer by an answer of 30 MB of %s', async (_way, compiled) => {
    const gateway = await startGateway({ database, compiled });
    onTestFinished(() => gateway.close());
    const { client } = gateway.database;
    await client.$executeRawUnsafe(fillStatement(database, resourceOf('AssetRepair'), 30));
    await client.assetRepair.updateMany({ data: { description: 'x'.repeat(1_000_000) } });
    const query = '{ assetRepairs(first: 30) { nodes { id description } } }';
    expect(await bytesOf(gateway, query)).toBeGreaterThan(30_000_000);
    const { longest } = await turnsDuring(bytesOf(gateway, query));
    const [, told = ''] =
      /up to ([\d.]+) s for an answer of 32 MB/.exec(
        rows.get('the event loop, in processor time of one piece') ?? '',
      ) ?? [];
    // Three times as much, because the client runs in this process too, and background work of V8 counts.
    expect(longest).toBeLessThan(3 * 1000 * Number(told));
  });
});
