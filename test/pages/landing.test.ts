import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import type { TestGateway } from '../support/gateway.js';
import { sharedGateway } from '../support/shared-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await sharedGateway('sqlite', true);
});

const get = (accept: string) => gateway.rest('GET', '/', undefined, { authorization: '', accept });

test('the start page says where things are, as JSON', async () => {
  const answer = await get('*/*');
  expect(answer.body).toMatchObject({
    rest: `${gateway.url}/api`,
    graphql: `${gateway.url}/graphql`,
    graphiql: `${gateway.url}/graphql`,
    authentication: 'Authorization: Bearer <API_KEY>',
  });
});

test('the start page is a page for a browser, and allows its own style only', async () => {
  const answer = await get('text/html,*/*;q=0.8');
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain(`POST ${gateway.url}/graphql`);
  expect(answer.headers.get('content-security-policy')).toMatch(/style-src 'sha256-[\w+/=]+'/);
  expect(answer.text).not.toContain('<script');
});

test('the requests on the start page work when pasted', async () => {
  const { text } = await get('text/html');
  const commands = [...text.matchAll(/<pre>(.*?)<\/pre>/gs)].map(([, command]) => command ?? '');
  expect(commands).toHaveLength(2);
  const answers = await Promise.all(commands.map((command) => answerOf(command)));
  expect(answers).toEqual([{ data: [], has_more: false, total: 0 }, { data: { assetRepairs: { nodes: [] } } }]);
});

async function answerOf(command: string): Promise<unknown> {
  const env = { ...process.env, API_KEY: gateway.key };
  const { stdout } = await promisify(execFile)('bash', ['-c', command.replace('curl', 'curl -s')], { env });
  return JSON.parse(stdout);
}
