import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../support/gateway.js';
import { withFacts } from '../support/readme.js';

const readme = readFileSync('README.md', 'utf8');
const run = promisify(execFile);

/** Each `sh` block and the block behind it, which shows what it prints. */
const examples = [...readme.matchAll(/```sh\n([\s\S]*?)```\n\n```(json|text)\n([\s\S]*?)```/g)].map(
  ([, command = '', form = '', shown = '']) => ({ command, form, shown }),
);

describe('the README', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  it('has an example of each kind', () => {
    expect(examples.length).toBeGreaterThanOrEqual(5);
  });

  it.each(examples)('prints what it shows for $command', async ({ command, form, shown }) => {
    const { stdout } = await run('bash', ['-c', command.replaceAll('http://127.0.0.1:4000', gateway.url)], {
      env: { ...process.env, API_KEY: gateway.key },
    });
    if (form === 'text') expect(stdout).toBe(shown);
    else expect(masked(JSON.parse(stdout))).toEqual(masked(JSON.parse(shown)));
  });

  it('shows the settings and the layers as they are', () => {
    expect(readme).toBe(withFacts(readme));
  });

  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  it('points only to what there is', () => {
    const paths = [
      ...[...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path),
      ...[...readme.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
        [...cell.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path).filter((path) => path.includes('/')),
      ),
    ];
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

/** What differs from run to run, made equal. */
function masked(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, inner) => {
    if (name === 'id' || name === 'request_id') return '…';
    return name === 'created_at' || name === 'updated_at' ? inner.length : inner;
  });
}
