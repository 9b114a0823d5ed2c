/** Debian's Prometheus, which reads the metrics of a gateway each second and evaluates our alert rules. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freshFolder } from './database.js';
import { freePort } from './postgresql.js';
import { requireProgram } from './require-program.js';

export interface Rule {
  name: string;
  health: string;
  lastError?: string;
  /** `inactive`, `pending` until it has held for long enough, and then `firing`. */
  state: string;
  labels: { severity?: string };
}

export interface Prometheus {
  /** The values of all series that an expression gives. */
  values(expression: string): Promise<number[]>;
  /** The rules of our file, with the error of each. */
  rules(): Promise<Rule[]>;
}

/** Starts it for the metrics at these addresses. It ends with the test. */
export async function startPrometheus(...metricsUrls: string[]): Promise<Prometheus> {
  requireProgram('prometheus', 'prometheus');
  const folder = freshFolder();
  const port = await freePort();
  const config = join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [resolve('docs/deploy/alerts.yml')],
      scrape_configs: [
        { job_name: 'records', static_configs: [{ targets: metricsUrls.map((url) => new URL(url).host) }] },
      ],
    }),
  );
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const ask = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
    return answer?.ok ? answer.json() : expect.fail(`${path}: ${await answer?.text()}\n${log}`);
  };
  await expect
    .poll(
      () =>
        ask('/api/v1/rules').then(
          () => true,
          () => log,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  return {
    values: async (expression) => {
      const { data } = await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`);
      return data.result.map(({ value }: { value: [number, string] }) => Number(value[1]));
    },
    rules: async () => (await ask('/api/v1/rules')).data.groups.flatMap(({ rules }: { rules: unknown[] }) => rules),
  };
}
