/** `records translate`. The translation itself is tested in test/features/translation. */
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
  const process = startRecords({}, ['translate', line.replace('records.example', 'other.example'), '--as', 'curl']);
  expect(await process.ended, process.log()).toBe(0);
  expect(process.output()).toContain('https://other.example/graphql');
});

test('untranslatable input is refused with the reason, without the key', async () => {
  for (const [words, problem] of [
    [[line.replace('asset-repair', 'asset-repairs')], 'There is no endpoint'],
    [['{ assetRepairs { nodes { id } } }'], 'does not begin with curl'],
  ] as const) {
    const found = await records(['translate', ...words]);
    expect([found.code, found.text]).toEqual([1, '']);
    expect(found.problem).toContain(problem);
    expect(found.problem).not.toContain('my-secret');
  }
  expect((await records(['translate', '--as', 'soap', line])).code).toBe(2);
});
