/**
 * `npm run test:image`: builds docs/deploy/Dockerfile with podman and runs the image as docs/deploy.md says: not as root, on a
 * read-only file system, with a volume for its data. Needs root, and installs podman, runc and debootstrap from Debian
 * where they are missing. Takes some minutes and two gigabytes of disk.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../src/common/project.js';
import { makeBaseImages } from './base-image.js';
import { ask, expectThat, key, outcome, path, tell } from './checks.js';
import { dockerfile } from './dockerfile.js';

const name = 'records-image-test';
const port = 4790;
// A machine without systemd, or one that may not raise limits, is enough.
const limits = ['--ulimit', 'nofile=10000:10000', '--ulimit', 'nproc=4000:4000', '--network=host'];
const hardened = ['--read-only', '--volume', `${name}:/data`];

const podman = (...words: string[]) => {
  const { status, stdout, stderr } = spawnSync('podman', ['--runtime', 'runc', ...words], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { status, stdout: stdout.trim(), all: stdout + stderr };
};
const must = (...words: string[]): string => {
  const { status, stdout, all } = podman(...words);
  if (status !== 0) throw new Error(`podman ${words.join(' ')} ended with ${status}:\n${all.slice(-2000)}`);
  return stdout;
};
function forget(): void {
  podman('rm', '--force', name);
  podman('volume', 'rm', '--force', name);
}

const needed = { podman: 'podman', runc: 'runc', debootstrap: 'debootstrap' };
const missing = Object.entries(needed).flatMap(([program, its]) =>
  spawnSync('sh', ['-c', `command -v ${program}`]).status === 0 ? [] : [its],
);
const folder = mkdtempSync(join(tmpdir(), 'gateway-image-'));
try {
  if (missing.length > 0) {
    tell(`Installing ${missing.join(', ')}`);
    execFileSync('sh', ['-c', `apt-get update && apt-get install --yes --no-install-recommends ${missing.join(' ')}`], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  tell('Making the images that the Dockerfile begins with (a minute or more)');
  makeBaseImages(dockerfile, folder, must);
  tell('Building the image (some minutes)');
  must('build', ...limits, '--format', 'docker', '--file', dockerfile, '--tag', name, projectFolder);
  forget();
  tell('Running it');
  const settings = ['--env', `PORT=${port}`, '--env', 'HOST=127.0.0.1', '--env', `API_KEY=${key}`];
  must('run', '--detach', '--name', name, ...limits, ...hardened, ...settings, name);
  expectThat('it is healthy', (await ask(port, 'GET', '/healthz')).status === 200, podman('logs', name).all);
  expectThat('its HEALTHCHECK says so', podman('healthcheck', 'run', name).status === 0, podman('logs', name).all);
  const user = must('exec', name, 'id', '--user', '--name');
  expectThat('it does not run as root', user === 'node', user);
  expectThat('its file system is read-only', podman('exec', name, 'touch', '/opt/records/x').status !== 0, '');
  const created = await ask(port, 'POST', path, { industry: 'Steel' });
  expectThat('it stores a record', created.status === 201, created);
  const size = Number(must('exec', name, 'du', '--summarize', '--block-size=M', '/opt/records').split('M')[0]);
  expectThat('the gateway takes less than 60 MB', size < 60, size);
  const keys = podman('exec', name, 'node', '/opt/records/src/main.js', 'keys', 'list');
  expectThat('its commands run inside of it', keys.status === 0, keys.all);
  must('stop', name);
  const ended = must('inspect', name, '--format', '{{.State.ExitCode}}');
  expectThat('it stops with 0', ended === '0', ended);
  must('start', name);
  const listed = await ask(port, 'GET', path);
  expectThat('the record is there after a restart', listed.text.includes('Steel'), listed);
  must('stop', name);
  const checked = podman('run', '--rm', ...limits, ...hardened, name, 'check');
  expectThat('`check` finds the data whole', checked.status === 0, checked.all);
} finally {
  forget();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = outcome();
