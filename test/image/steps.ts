/**
 * `npm run test:dockerfile`: what can be known of docs/deploy/Dockerfile without a container engine. Its steps are carried out as it
 * says them, with the version of Node that runs this: COPY copies what it names, and nothing else, into an empty folder; RUN
 * runs there, with the packages of npm's registry; then its ENTRYPOINT serves as another user, who can write nothing but its
 * VOLUME. `npm ci --omit=dev` and `npm start` serve the same in a checkout. Root is needed for the other user: for anybody
 * else it is himself, on folders that are read-only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../support/postgresql.js';
import { makeReadOnly, makeWritable } from '../support/read-only.js';
import { BuildContext } from './build-context.js';
import { ask, expectThat, key, outcome, path, tell } from './checks.js';
import { dockerfile, stagesOf } from './dockerfile.js';
import { endOf, isRoot, machine, runIn } from './run-in.js';
import { StageFolder } from './stage-folder.js';

const place = mkdtempSync(join(tmpdir(), 'gateway-steps-'));
const checkout = join(place, 'checkout');
const startedAt = performance.now();
const seconds = () => Math.round((performance.now() - startedAt) / 1000);
try {
  if (isRoot) chmodSync(place, 0o755);
  for (let above = place; above !== '/'; above = dirname(above)) {
    if (existsSync(join(above, 'node_modules')))
      throw new Error(`${above} has packages, which a build there would use`);
  }
  await run();
} catch (error) {
  expectThat('every step can be carried out', false, 'the reason stands below');
  console.log(error instanceof Error ? error.message : error);
} finally {
  if (!isRoot) makeWritable(place);
  rmSync(place, { recursive: true, force: true });
}
tell(`Done (after ${seconds()} s)`);
process.exitCode = outcome();

async function run(): Promise<void> {
  const stages = stagesOf(dockerfile);
  const context = new BuildContext(dockerfile);
  const folders = new Map<string, StageFolder>();
  tell(`The steps of the stages, and beside them \`npm ci --omit=dev\` (some minutes)`);
  // A checkout has the same files and more.
  const copies = stages[0]?.instructions.filter(({ name, text }) => name === 'COPY' && !text.startsWith('--')) ?? [];
  await new StageFolder(checkout, context, folders).carryOut({ base: '', name: undefined, instructions: copies });
  const installed = runIn(checkout, ['npm', 'ci', '--omit=dev'], {}, 'npm ci --omit=dev');
  // What it rejects with is told where it is awaited.
  installed.catch(() => {});
  for (const [index, stage] of stages.entries()) {
    const folder = new StageFolder(join(place, `stage-${index}`), context, folders);
    folders.set(stage.name ?? '', folder);
    await folder.carryOut(stage);
    const names = stage.instructions.map(({ name }) => name).join(' ');
    console.log(`yes  the stage from ${stage.base}: ${names} (${seconds()} s)`);
  }
  await installed;
  const [build, image] = [folders.get('build'), folders.get('')];
  if (!build || !image) throw new Error('The Dockerfile has no stage `build`, or no last stage');
  const port = await freePort();
  const root = image.at('/');
  const asUser = isRoot ? ['setpriv', `--reuid=${image.user}`, `--regid=${image.user}`, '--clear-groups'] : [];
  const env = { ...image.environment, PATH: machine.PATH, PORT: String(port), API_KEY: key, HOME: root, TMPDIR: root };
  tell('Its ENTRYPOINT, as its USER, who can write its VOLUME only');
  await imageServes(image, asUser, env, port);
  tell('`npm ci --omit=dev` and `npm start`, as the same user');
  await checkoutServes(build.at('dist'), asUser, env, port);
}

async function imageServes(
  image: StageFolder,
  asUser: readonly string[],
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<void> {
  const root = image.at('/');
  const [data = ''] = image.volumes;
  makeReadOnly(root, [data]);
  const before = namesIn(root, data);
  const within = (...words: readonly string[]) => endOf(image.at('.'), [...asUser, ...words], env);
  const id = await within('id', '-u');
  expectThat('it does not run as root', id.printed.trim() === String(image.user) && image.user !== 0, id.printed);
  for (const name of ['/', '/opt/records', '/opt/records/src/main.js']) {
    const { code } = await within('test', '-w', image.at(name));
    expectThat(`it cannot write ${name}`, code === 1, code);
  }
  await serving([...asUser, ...image.entrypoint, ...image.command], image.at('.'), env, async () => {
    expectThat('it is healthy', (await ask(port, 'GET', '/healthz')).status === 200, '');
    const health = await within(...image.healthcheck);
    expectThat('its HEALTHCHECK says so', health.code === 0, health);
    const created = await ask(port, 'POST', path, { industry: 'Steel' });
    expectThat('it stores a record', created.status === 201, created);
    const keys = await within(...image.entrypoint, 'keys', 'list');
    expectThat('its commands run inside of it', keys.code === 0, keys);
  });
  const sick = await within(...image.healthcheck);
  expectThat('its HEALTHCHECK fails where nobody serves', sick.code === 1, sick);
  expectThat('it has written its VOLUME only', namesIn(root, data).join() === before.join(), namesIn(root, data));
  expectThat('the database is there', readdirSync(data).includes('records.db'), readdirSync(data));
}

/** What was built elsewhere is served from a checkout without development packages, and nothing else. */
async function checkoutServes(
  dist: string,
  asUser: readonly string[],
  env: NodeJS.ProcessEnv,
  port: number,
): Promise<void> {
  const { devDependencies } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'));
  const development = Object.keys(devDependencies).filter((name) => packages[`node_modules/${name}`].dev);
  const there = development.filter((name) => existsSync(join(checkout, 'node_modules', name)));
  expectThat('no development package is installed', there.length === 0 && development.length > 10, there);
  const megabytes = Number.parseInt((await endOf(checkout, ['du', '-sm', 'node_modules'], env)).printed, 10);
  expectThat('its packages are 150 MB at most', megabytes > 1 && megabytes <= 150, megabytes);
  const start = [...asUser, 'npm', 'start'];
  const refused = async (what: string) => {
    const { code, printed } = await endOf(checkout, start, env);
    const says = printed.includes('or copy the folder dist from where that was done');
    expectThat(`npm start refuses ${what}`, code === 1 && says, { code, printed });
  };
  await refused('where nothing was built');
  cpSync(dist, join(checkout, 'dist'), { recursive: true });
  makeReadOnly(checkout);
  await serving(start, checkout, env, async () => {
    expectThat('it is healthy', (await ask(port, 'GET', '/healthz')).status === 200, '');
    const listed = await ask(port, 'GET', path);
    expectThat('it finds the record', listed.text.includes('Steel'), listed);
  });
  makeWritable(checkout);
  appendFileSync(join(checkout, 'src/main.ts'), '// A change.\n');
  await refused('what was built from other sources');
}

/** What a folder holds, except `left`, each with the time of its last change. */
function namesIn(folder: string, left: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !join(folder, name).startsWith(left))
    .map((name) => `${name} ${lstatSync(join(folder, name)).mtimeMs}`)
    .sort();
}

/** Runs `work` while the command serves, and expects that it then ends with 0 at SIGTERM. */
async function serving(
  [program = '', ...words]: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  work: () => Promise<void>,
): Promise<void> {
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  try {
    await work();
  } finally {
    child.kill('SIGTERM');
    const [code] = await ended;
    expectThat('it stops with 0', code === 0, log.slice(-2000));
  }
}
