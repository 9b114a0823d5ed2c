/** The reader of the gateway's output may sleep or end, and the disk for the output may be full. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, inject, test } from 'vitest';
import { Client } from '../support/client.js';
import { freshDatabaseUrl } from '../support/database.js';
import { freePort } from '../support/postgresql.js';
import { type GatewayProcess, run } from '../support/process.js';
import { v8Flags } from '../support/v8-flags.js';

/** The redirection of the output in bash, which the gateway replaces (`exec`). */
const gone = '> >(exec true) 2>&1';
const reading = '> >(echo $BASHPID >reader; exec cat >read) 2>&1';

let gateway: GatewayProcess;
let client: Client;

async function start(redirection: string): Promise<void> {
  const port = await freePort();
  client = new Client(`http://127.0.0.1:${port}`);
  const main = join(inject('testRun').built, 'src/main.js');
  const DATABASE_URL = await freshDatabaseUrl('sqlite');
  const command = `exec "${process.execPath}" ${v8Flags.join(' ')} "${main}" ${redirection}`;
  gateway = run('bash', ['-c', command], { PORT: String(port), DATABASE_URL, API_KEY: 'a-key-that-is-long-enough' });
  await expect.poll(() => statusOf('/readyz')).toBe(200);
}

afterEach(async () => {
  gateway.child.kill('SIGKILL');
  signalReader('SIGKILL');
  await gateway.ended;
});

const statusOf = (path: string) =>
  client.send('GET', path, undefined, {}).then(
    ({ status }) => status,
    () => 'not answered' as const,
  );

/** Makes `count` log lines of 8 kB each, and returns how many of the requests were answered. */
async function fillLog(count: number): Promise<number> {
  const path = `/nowhere/${'x'.repeat(8000)}`;
  let answered = 0;
  for (let left = count; left > 0; left -= 50) {
    const statuses = await Promise.all(Array.from({ length: Math.min(left, 50) }, () => statusOf(path)));
    answered += statuses.filter((status) => status === 404).length;
  }
  return answered;
}

function signalReader(signal: NodeJS.Signals): void {
  try {
    process.kill(Number(readFileSync(join(gateway.folder, 'reader'), 'utf8')), signal);
  } catch {
    // There is none, or it has ended.
  }
}

const exitCode = () => {
  const { exitCode: code, signalCode: signal } = gateway.child;
  return code ?? signal;
};
const ends = (code: number) => expect.poll(exitCode).toBe(code);

test('SIGTERM ends a gateway whose log reader has gone, also without requests', async () => {
  await start(gone);
  gateway.child.kill('SIGTERM');
  await ends(0);
});

test('where the disk the output goes to is full, requests are answered, more than a pipe holds, and SIGTERM ends it', async () => {
  await start('>/dev/full 2>&1');
  expect(await fillLog(200)).toBe(200);
  gateway.child.kill('SIGTERM');
  await ends(0);
});

test('a gateway that cannot start, and cannot print why, exits with 2', async () => {
  const main = join(inject('testRun').built, 'src/main.js');
  gateway = run('bash', ['-c', `exec "${process.execPath}" "${main}" ${gone}`], { PORT: 'none' });
  await ends(2);
});

test('of what nobody reads 4 MB of the log are kept, the reader is told how many lines are lost, and SIGTERM ends it while the reader sleeps', async () => {
  await start(reading);
  signalReader('SIGSTOP');
  expect(await fillLog(700)).toBe(700);
  signalReader('SIGCONT');
  const read = () => readFileSync(join(gateway.folder, 'read'), 'utf8');
  await expect.poll(read).toMatch(/"lines":\d+,"msg":"Lines of the log before this one are lost/);
  const lines = read().split('\n');
  const requests = lines.filter((line) => line.includes('"path":"/nowhere/'));
  const loss = JSON.parse(lines.find((line) => line.includes('are lost')) ?? '');
  expect(requests.length + loss.lines).toBe(700);
  expect(read().length).toBeGreaterThan(4_000_000);
  expect(read().length).toBeLessThan(5_000_000);

  await statusOf('/here-again');
  await expect.poll(read).toContain('/here-again');
  signalReader('SIGSTOP');
  expect(await fillLog(100)).toBe(100);
  gateway.child.kill('SIGTERM');
  await ends(0);
});
