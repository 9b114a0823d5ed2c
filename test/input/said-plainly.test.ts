/** Errors that name what was sent, what is accepted and what to do, in few places. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { records } from '../commands/records.js';
import { freshFolder } from '../support/database.js';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { Sqlite } from '../support/sqlite-library.js';

let gateway: TestGateway;
let url: string;
beforeAll(async () => {
  gateway = await startGateway({});
  url = gateway.config.databaseUrl;
});
afterAll(() => gateway.close());

const repairs = '/api/assets/asset-repair';

test.each([
  [
    { 'Content-Type': 'text/plain' },
    'Send the body as JSON in UTF-8, with the header `Content-Type: application/json`; it was sent as `text/plain`.',
  ],
  [{ 'Content-Type': 'application/json; charset=latin1' }, 'it was sent as `application/json; charset=latin1`.'],
  [{ 'Content-Encoding': 'gzip' }, 'Send the body uncompressed; it was sent with `Content-Encoding` `gzip`.'],
])('415 for %j says what was sent and what is accepted, on both surfaces', async (headers, message) => {
  for (const path of [repairs, '/graphql']) {
    const { status, text } = await gateway.rest('POST', path, '{}', { 'Content-Type': 'application/json', ...headers });
    expect([status, text]).toEqual([415, expect.stringContaining(message)]);
  }
});

test('an error names 50 places at most, and how many more there are', async () => {
  await gateway.rest('POST', repairs, { asset: 'a', failure_date: '2026-11-20' });
  const answers = [
    await gateway.graphql(`{ ${'assetRepairs(first: 1, after: "x") { totalCount } '.repeat(100)} }`),
    await gateway.graphql(`{ ${'assetRepairs(first: -1) { totalCount } '.repeat(100)} }`),
    await gateway.graphql(
      `mutation { ${`createAssetRepair(input: { asset: "", failureDate: "x" }) { record { id } } `.repeat(100)} }`,
    ),
  ];
  const found = answers.flatMap(({ body }) => body.errors ?? []);
  for (const { locations } of found) expect(locations?.length ?? 0).toBeLessThanOrEqual(50);
  expect(found.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/ There are 50 more places of it\.$/),
  );
});

const start = '{"__typename":"AssetRepair","asset":"a","failureDate":"2026-11-20"';
const line = (more = '') => `${start}${more}}`;

async function imported(content: string | Buffer, name = 'records.jsonl', ...words: string[]) {
  const file = join(freshFolder(), name);
  writeFileSync(file, content);
  const outcome = await records(['import', file, ...words], { DATABASE_URL: url });
  return { ...outcome, all: outcome.text + outcome.problem, file };
}

test('an import takes UTF-8 with a byte order mark, and names UTF-16 and other line ends', async () => {
  expect(await imported(`\uFEFF${line()}\n`)).toMatchObject({ code: 0 });
  expect((await imported(Buffer.from(`\uFEFF${line()}\n`, 'utf16le'))).all).toContain(
    'is UTF-16; save the file as UTF-8',
  );
  expect((await imported(`${line()}\r${line()}\r`)).all).toContain('with a carriage return between them');
  expect(await imported(`${line()}\r\n${line(',"company":"b"')}\r\n`)).toMatchObject({ code: 0 });
});

test('a file name in a command to run is one word of a shell', async () => {
  const { problem, file } = await imported(`${line(',"version":0')}\n`, "it's $(here) & there.jsonl");
  expect(problem).toContain(`tail -n +1 '${file.replace("'", "'\\''")}' | records import -`);
});

test('a command to run reads no standard input a second time', async () => {
  const words = ['import', '-', '--name', 'piped'];
  const { problem } = await records(words, { DATABASE_URL: url }, undefined, `${line(',"version":0')}\n`);
  expect(problem).toContain('tail -n +1 FILE | records import -');
});

test('an import says the range of a version, and the name that was meant', async () => {
  const { all } = await imported(`${line(',"version":1.5')}\n`);
  expect(all).toMatch(/version.* must be a whole number from 1 to 2\d{9}/);
  expect((await imported(`${line(',"consumed_items":[]')}\n`)).all).toMatch(/did you mean .?consumedItems\b(?!C)/);
  const answer = await gateway.graphql(
    'mutation ($i: CreateAssetRepairInput!) { createAssetRepair(input: $i) { record { id } } }',
    {
      i: { asset: 'a', failureDate: '2026-11-20', consumed_items: [] },
    },
  );
  expect(answer.text).toMatch(/did you mean .?consumedItems\b(?!C)/);
});

test('an import says what a line has to be, and which column has no name', async () => {
  expect((await imported(`${line(',"consumedItems":[null]')}\n`)).all).toMatch(/cannot be null; send an object/);
  const csv = await imported('asset,,failureDate\na,,2026-11-20\n', 'a.csv', '--csv', 'AssetRepair');
  expect(csv.all).toContain('Column 2 has no name in the first line. Name it, or remove it.');
});

test('a version of 0 is mended to what the journal knows, so that later changes have versions of their own', async () => {
  const { body } = await gateway.rest('POST', repairs, { asset: 'a', failure_date: '2026-11-20' });
  const change = (description: string) => gateway.rest('PATCH', `${repairs}/${body.id}`, { description });
  for (const text of ['b', 'c']) expect((await change(text)).status).toBe(200);
  const other = new Sqlite(url.slice('file:'.length));
  other.prepare('UPDATE "AssetRepair" SET "version" = 0 WHERE "id" = ?').run(body.id);
  other.close();
  expect((await records(['check'], { DATABASE_URL: url })).text).toContain(`${body.id} has the version 0`);
  expect(await records(['check', '--fix'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
  expect((await change('d')).status).toBe(200);
  const { body: after } = await gateway.graphql(`{ assetRepair(id: "${body.id}") { version } }`);
  expect(after.data.assetRepair.version).toBe(4);
  expect(await records(['check'], { DATABASE_URL: url })).toMatchObject({ code: 0 });
});
