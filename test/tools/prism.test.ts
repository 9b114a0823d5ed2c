/** Prism, which answers as a description says, and compares with it what passes through. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptedOfPrism } from './accepted.js';
import { type Described, run, startDescribed } from './described.js';
import { type Exchange, passing } from './prism-proxy.js';
import { serve } from './served.js';

let described: Described;
beforeAll(async () => {
  described = await startDescribed();
});
afterAll(() => described?.close());

test('as a mock it answers each GET, and a create, with what the description takes', async () => {
  const mock = await serve('prism', [described.openapi]);
  try {
    const { paths } = JSON.parse(readFileSync(described.openapi, 'utf8'));
    const answers: unknown[] = [];
    const ask = async (method: string, path: string, body?: unknown) => {
      // Lists of lines have to be asked for by their parent.
      const answer = await fetch(`${mock.url}${path.replace('{id}', 'some')}?parent_id=some`, {
        method,
        headers: { authorization: 'Bearer key', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      answers.push({ method, path, status: answer.status, wrong: answer.headers.get('sl-violations') });
      return answer.json();
    };
    for (const path of Object.keys(paths)) {
      if (paths[path].get && path !== '/api/events') await ask('GET', path);
    }
    const create = '/api/assets/asset-repair';
    const { example } = paths[create].post.requestBody.content['application/json'];
    expect((await ask('POST', create, example)).asset).toBe(example.asset);
    expect(answers.length).toBeGreaterThan(90);
    expect(answers.filter((each) => !/:20[01],"wrong":null/.test(JSON.stringify(each)))).toEqual([]);
  } finally {
    mock.close();
  }
});

test('as a validating proxy it holds against the contract suite what is listed with its reason, and nothing else', async () => {
  const exchanges: Exchange[] = [];
  const proxy = await passing((upstream) => serve('prism', [described.openapi, upstream]), exchanges);
  try {
    await run(['node_modules/vitest/vitest.mjs', 'run', 'test/contract'], { TEST_PROXY: proxy.url });
  } finally {
    await proxy.close();
  }
  expect(exchanges.length).toBeGreaterThan(5000);
  const isListed = (violation: string) => violation in acceptedOfPrism;
  expect(exchanges.filter(({ violations }) => !violations.every(isListed)).slice(0, 20)).toEqual([]);
  expect(new Set(exchanges.flatMap(({ violations }) => violations))).toEqual(new Set(Object.keys(acceptedOfPrism)));
}, 900_000);
