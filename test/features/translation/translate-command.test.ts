/** `records translate`, both ways. The translation itself is tested in test/features/translation. */
import { expect, test } from 'vitest';
import { records } from '../../commands/records.js';
import { startRecords } from '../../support/process.js';

const line = `curl -s 'https://records.example/api/assets/asset-repair?limit=5' -H 'Authorization: Bearer my-secret'`;

test('a line of curl becomes an operation, without its key', async () => {
  const found = await records(['translate', line]);
  expect([found.code, found.problem]).toEqual([0, '']);
  expect(found.text).toMatch(/^query AssetRepairList\b.*\n\n\{\n {2}"limit": 5.*\}\n$/s);
  const { operation, variables } = JSON.parse((await records(['translate', '--json', line])).text);
  expect([operation, variables.limit]).toEqual(['AssetRepairList', 5]);
  for (const form of ['curl', 'fetch', 'urql', 'apollo']) {
    const { code, text } = await records(['translate', '--as', form], {}, undefined, line);
    expect([code, text]).toEqual([0, expect.stringContaining('https://records.example/graphql')]);
    expect(text).not.toContain('my-secret');
  }
});

test('an operation becomes a line of curl', async () => {
  const text = 'query ($first: Int!) { assetRepairs(first: $first) { nodes { id } } }';
  const found = await records([
    'translate',
    text,
    '--variables',
    '{"first": 3}',
    '--origin',
    'https://records.example',
  ]);
  expect([found.code, found.problem]).toEqual([0, '']);
  expect(found.text).toContain("curl 'https://records.example/api/assets/asset-repair?limit=3'");
  const process = startRecords({}, ['translate', '{ assetRepair(id: "x") { id } }']);
  expect(await process.ended, process.log()).toBe(0);
  expect(process.output()).toContain('/api/assets/asset-repair/x');
});

test('untranslatable input is refused with the reason, without the key', async () => {
  for (const [words, problem] of [
    [[line.replace('asset-repair', 'asset-repairs')], 'There is no endpoint'],
    [['{ nothing { id } }'], 'No endpoint of REST does what'],
    [['{ assetRepairs { nodes { id } } }', '--variables', '[]'], 'not a JSON object'],
  ] as const) {
    const found = await records(['translate', ...words]);
    expect([found.code, found.text]).toEqual([1, '']);
    expect(found.problem).toContain(problem);
    expect(found.problem).not.toContain('my-secret');
  }
  expect((await records(['translate', '--as', 'soap', line])).code).toBe(2);
});
