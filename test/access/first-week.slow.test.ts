/** `docs/access.md` is followed in a clean folder: its files are written, its commands typed, its operations sent, in their order. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { projectFolder } from '../../src/common/project.js';
import { emptyDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { freePort } from '../support/postgresql.js';
import { v8Flags } from '../support/v8-flags.js';
import { bearing } from './people.js';

/** A block of the page: a file, what is typed, or an operation with the variable of the shell that holds the key of who sends it. */
const block =
  /(?:<!-- (\S+\.json) -->\n)?```(sh|graphql|json)(?: ([A-Z]+))?\n([\s\S]*?)```\n(?:\n```json variables\n([\s\S]*?)```\n)?(?:\n```(?:text|json)\n([\s\S]*?)```)?/g;
const page = readFileSync('docs/access.md', 'utf8');
const steps = [...page.matchAll(block)]
  .map(([, file, kind, caller, text = '', variables = '{}', shown]) => ({ file, kind, caller, text, variables, shown }))
  .filter(({ file, kind, caller }) => kind === 'sh' || file || caller)
  .map((step, index) => ({ ...step, title: `${index + 1}: ${step.file ?? step.text.split('\n')[0]}` }));

test('every command and every operation of the page is a step', () => {
  expect(steps.filter(({ file }) => !file).length).toBe(page.match(/^```(?:sh|graphql)/gm)?.length);
  expect(steps.length).toBeGreaterThan(15);
});

describe.each(providers)('on %s', (provider) => {
  const folder = freshFolder();
  /** What the page writes for the first id of its kind that was printed, and that id. */
  const ids = new Map<string, string>();
  let url: string;
  let shell: ChildProcessWithoutNullStreams;
  beforeAll(async () => {
    symlinkSync(join(projectFolder, 'examples'), join(folder, 'examples'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const { PATH, HOME } = process.env;
    const env = { PATH, HOME, PORT: String(port), DATABASE_URL: await emptyDatabaseUrl(provider) };
    // Of a group of its own, which ends with the gateway that it has started.
    shell = spawn('bash', { cwd: folder, env, detached: true });
    shell.stdin.write(`exec 2>&1; trap 'echo "This fails: $BASH_COMMAND"' ERR\n`);
    shell.stdout.setEncoding('utf8');
  });
  afterAll(() => {
    process.kill(-Number(shell.pid), 'SIGKILL');
  });

  test.each(steps)('$title', async ({ file, kind, caller = '', text, variables, shown }) => {
    if (file) return writeFileSync(join(folder, file), text);
    const printed = kind === 'sh' ? await typed(filled(text)) : await answered(caller, text, filled(variables));
    expect(printed).not.toContain('This fails');
    for (const [written, id] of [
      ['brg_0123456789ab', /brg_\w{12}/],
      ['asset-repair_01…', /asset-repair_\w+/],
    ] as const) {
      const found = id.exec(printed)?.[0];
      if (found && !ids.has(written)) ids.set(written, found);
    }
    if (shown === undefined) return;
    const expected = filled(kind === 'sh' ? shown : JSON.stringify(JSON.parse(shown)));
    expect(isLike(printed, expected), `${printed}\nis not like\n${expected}`).toBe(true);
  });

  const filled = (text: string) => [...ids].reduce((all, [written, id]) => all.replaceAll(written, id), text);

  /** What a shell in the folder prints. */
  async function typed(text: string): Promise<string> {
    const records = [process.execPath, ...v8Flags, join(inject('testRun').built, 'src/main.js')].join(' ');
    const command = text
      .replaceAll(/npx records|node src\/build\/records.mjs/g, records)
      .replaceAll('http://127.0.0.1:4000', url)
      .replaceAll('sleep 1', 'sleep 4');
    shell.stdin.write(`${command}\necho; echo the end\n`);
    let printed = '';
    for await (const more of shell.stdout.iterator({ destroyOnReturn: false })) {
      printed += more;
      if (printed.endsWith('\nthe end\n')) break;
    }
    return printed.slice(0, -'\nthe end\n'.length);
  }

  /** The data of the answer to an operation, which has no errors. */
  async function answered(caller: string, query: string, variables: string): Promise<string> {
    const headers = { ...bearing(await typed(`printf %s "$${caller}"`)), 'content-type': 'application/json' };
    const body = JSON.stringify({ query, variables: JSON.parse(variables) });
    const { data, errors } = await (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json();
    expect(errors).toBeUndefined();
    return JSON.stringify(data);
  }
});

/** Whether a text is as it is shown, where `…` stands for anything. */
function isLike(text: string, shown: string): boolean {
  const lines = (given: string) => given.replaceAll(/ +$/gm, '').trim();
  const [first = '', ...parts] = lines(shown).split('…');
  let rest = lines(text);
  if (!rest.startsWith(first)) return false;
  rest = rest.slice(first.length);
  const last = parts.pop();
  if (last === undefined) return rest === '';
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return rest.endsWith(last);
}
