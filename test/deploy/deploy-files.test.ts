/** The files for an operator name what the gateway has: settings, commands, paths, ports, probes; and leave it enough time. */
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { exitCodes } from '../../src/cli/command.js';
import { projectFolder } from '../../src/common/project.js';
import { PING_MILLIS } from '../../src/database/open-database.js';
import { stopTimes } from '../../src/gateway/start/listen.js';
import { dockerfile, stagesOf } from '../image/dockerfile.js';
import { freshFolder } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { requireProgram } from '../support/require-program.js';
import { settings } from '../support/settings.js';
import { imageOf, milliseconds, problemsOf, textOf, unknownWords } from './deploy-files.js';

const image = imageOf();
const name = /--tag (\S+)/.exec(textOf('deploy/Dockerfile'))?.[1];
const installed = '/opt/records';

/** Whether a path in the folder where `dist` is installed exists in what was built. */
const isBuilt = (path: string) =>
  path.startsWith(`${installed}/`) && existsSync(join(inject('testRun').built, path.slice(installed.length)));

/** What both probes answer to somebody without a key: of a gateway that serves, and of one that stops. */
async function probed(paths: readonly string[]): Promise<[number, number][]> {
  const gateway = await startGateway();
  try {
    const ask = () => Promise.all(paths.map(async (path) => (await fetch(gateway.url + path)).status));
    const serving = await ask();
    gateway.drain();
    const stopping = await ask();
    return serving.map((status, index) => [status, stopping[index] ?? 0]);
  } finally {
    await gateway.close();
  }
}
const live = [200, 200];
const ready = [200, 503];

describe('Dockerfile', () => {
  test('its settings are settings of the gateway, which has its port', () => {
    expect(problemsOf(image.environment)).toEqual([]);
    const exposed = image.instructions.filter(({ name }) => name === 'EXPOSE').map(({ text }) => text);
    expect(exposed).toEqual([image.environment.PORT]);
    expect(image.environment.PORT).toBe(settings.find(({ name }) => name === 'PORT')?.default);
    // Whoever publishes a port reaches the gateway from outside of its container.
    expect(image.environment.HOST).toBe('0.0.0.0');
  });

  test('its sources come after the install, which a change of the code does not repeat', () => {
    const { instructions = [] } = stagesOf(dockerfile).find((stage) => stage.name === 'build') ?? {};
    const at = (start: string) => instructions.findIndex(({ name, text }) => `${name} ${text}`.startsWith(start));
    expect(at('COPY package.json package-lock.json')).toBeGreaterThan(-1);
    expect(at('RUN npm ci')).toBeGreaterThan(at('COPY package.json package-lock.json'));
    for (const folder of ['src', 'rest', 'prisma'])
      expect([folder, at(`COPY ${folder}`) > at('RUN npm ci')]).toEqual([folder, true]);
  });

  test('it starts what was built, with a command that there is, and not as root', () => {
    expect(image.entrypoint).toEqual(['node', `${installed}/src/main.js`]);
    expect(image.instructions).toContainEqual({ name: 'COPY', text: `--from=build /build/dist ${installed}` });
    expect(isBuilt(image.entrypoint[1] ?? '')).toBe(true);
    expect(unknownWords(image.command)).toEqual([]);
    const users = image.instructions.filter(({ name }) => name === 'USER').map(({ text }) => text);
    expect(users.at(-1)).toMatch(/^(?!root\b|0\b)\w+$/);
  });

  test('its database is in its volume, and its healthcheck asks what is alive', async () => {
    const volume = image.instructions.find(({ name }) => name === 'VOLUME')?.text ?? 'none';
    expect(image.environment.DATABASE_URL).toMatch(new RegExp(`^file:${volume}/`));
    const healthcheck = image.instructions.find(({ name }) => name === 'HEALTHCHECK')?.text;
    const path = /127\.0\.0\.1:\$\{process\.env\.PORT\}(\/\w+)/.exec(healthcheck ?? '')?.[1];
    expect(await probed([path ?? ''])).toEqual([live]);
  });
});

describe('compose.yaml', () => {
  const given: Record<string, string> = { DATABASE_PASSWORD: 'a#p@ss/word?', API_KEY: 'a-key-that-is-long-enough' };
  const text = textOf('deploy/compose.yaml').replaceAll(
    /\$\{(\w+)(:\?[^}]*)?\}/g,
    (_, name) => given[name] ?? 'unknown',
  );
  const { services, configs, volumes } = parse(text);
  const gateways = [services.migration, services.gateway];

  test('it builds the Dockerfile, and starts commands that there are, on a read-only file system', () => {
    const { context, dockerfile } = services.migration.build;
    expect(resolve(projectFolder, 'docs/deploy', context)).toBe(projectFolder);
    expect(existsSync(join(projectFolder, dockerfile))).toBe(true);
    for (const { image: used, command = image.command, read_only, user } of gateways) {
      expect([used, unknownWords(command), read_only, user]).toEqual([name, [], true, undefined]);
    }
    expect(services.migration.command).toEqual(['migrate', 'apply']);
  });

  test('its settings are settings of the gateway, which never migrates by itself', () => {
    for (const { environment } of gateways) {
      const { PGPASSWORD: _, ...own } = environment;
      expect(problemsOf(own)).toEqual([]);
      expect(environment).toMatchObject({ MIGRATE: 'false', API_KEY: given.API_KEY });
    }
    const { POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD } = services.database.environment;
    // A password with any character, as it is no part of the address.
    expect(services.gateway.environment).toMatchObject({
      DATABASE_URL: `postgresql://${POSTGRES_USER}@database/${POSTGRES_DB}`,
      PGPASSWORD: POSTGRES_PASSWORD,
    });
  });

  test('a gateway is given more time to stop than it takes', () => {
    expect(milliseconds(services.gateway.stop_grace_period)).toBeGreaterThan(stopTimes.process);
  });

  test('its proxy leads to as many gateways as there are, at their port, once they are ready', async () => {
    const proxy: string = configs.proxy.content;
    const [, published, listens] = /^(\d+):(\d+)$/.exec(services.proxy.ports[0]) ?? [];
    expect([/bind :(\d+)/.exec(proxy)?.[1], published]).toEqual([listens, image.environment.PORT]);
    const [, count, host, port] = /server-template gateway (\d+) (\w+):(\d+) check/.exec(proxy) ?? [];
    expect([Number(count), services[host ?? ''], port]).toEqual([
      services.gateway.deploy.replicas,
      services.gateway,
      image.environment.PORT,
    ]);
    expect(await probed([/option httpchk GET (\S+)/.exec(proxy)?.[1] ?? ''])).toEqual([ready]);
    const requestTimeout = settings.find(({ name }) => name === 'REQUEST_TIMEOUT')?.default ?? '';
    const patience = /timeout server (\d+s)/.exec(proxy)?.[1] ?? '';
    expect(milliseconds(patience)).toBeGreaterThan(milliseconds(requestTimeout));
    expect(services.proxy.configs[0].source).toBe('proxy');
  });

  test('HAProxy takes the configuration of the proxy', () => {
    requireProgram('haproxy', 'haproxy');
    const file = join(freshFolder(), 'haproxy.cfg');
    writeFileSync(file, configs.proxy.content);
    const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  });

  test('each service waits for one that there is, and each volume is declared', () => {
    const awaited = Object.values<{ depends_on?: object }>(services).flatMap(({ depends_on = {} }) =>
      Array.isArray(depends_on) ? depends_on : Object.keys(depends_on),
    );
    expect(awaited.length).toBeGreaterThan(2);
    expect(awaited.filter((each) => !(each in services))).toEqual([]);
    expect(Object.keys(volumes)).toEqual(services.database.volumes.map((each: string) => each.split(':')[0]));
  });
});

describe('kubernetes.yaml', () => {
  const text = textOf('deploy/kubernetes.yaml');
  const documents = parseAllDocuments(text).map((document) => document.toJS());
  const [deployment, service, budget] = documents;
  const pod = deployment.spec.template.spec;
  const [gateway] = pod.containers;
  const containers = [...pod.initContainers, gateway];

  test('it has a deployment, a service and a budget of the same pods', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['Deployment', 'Service', 'PodDisruptionBudget']);
    const labels = deployment.spec.template.metadata.labels;
    const selected = [deployment.spec.selector.matchLabels, service.spec.selector, budget.spec.selector.matchLabels];
    expect(selected).toEqual([labels, labels, labels]);
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
  });

  test('its containers run commands that there are, of the image, as a user who is not root and writes nothing', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(pod.securityContext.runAsUser).toBeGreaterThan(0);
    for (const { image: used, args = image.command, command, securityContext } of containers) {
      expect([used, unknownWords(args), command]).toEqual([name, [], undefined]);
      expect(securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
    }
    expect(pod.initContainers.map(({ args }: { args: string[] }) => args)).toEqual([['migrate', 'apply']]);
  });

  test('its settings are settings of the gateway, which never migrates by itself', () => {
    const secret = [...text.matchAll(/--from-literal=(\w+)=/g)].map(([, name = '']) => name);
    const values = { DATABASE_URL: 'postgresql://db/records', API_KEY: 'a-key-that-is-long-enough' };
    expect(secret).toEqual(Object.keys(values));
    const own = Object.fromEntries(gateway.env.map(({ name, value }: Record<string, string>) => [name, value]));
    expect(problemsOf({ ...values, ...own })).toEqual([]);
    expect(own).toEqual({ MIGRATE: 'false' });
    const created = /create secret generic (\w+)/.exec(text)?.[1];
    for (const { envFrom } of containers) expect(envFrom).toEqual([{ secretRef: { name: created } }]);
  });

  test('its ports are that of the image, and its probes ask what is alive and what is ready', async () => {
    const probes = [gateway.startupProbe, gateway.livenessProbe, gateway.readinessProbe];
    const ports = [
      ...gateway.ports.map(({ containerPort }: { containerPort: number }) => containerPort),
      ...probes.map(({ httpGet }) => httpGet.port),
      ...service.spec.ports.map(({ targetPort }: { targetPort: number }) => targetPort),
    ];
    expect(ports).toEqual(Array(5).fill(Number(image.environment.PORT)));
    expect(await probed(probes.map(({ httpGet }) => httpGet.path))).toEqual([live, live, ready]);
    // Otherwise a pod is not ready by its own answer, but because nobody has waited for it.
    expect(gateway.readinessProbe.timeoutSeconds * 1000).toBeGreaterThan(PING_MILLIS);
  });

  test('a gateway is given more time to stop than it takes, after the pause before it', () => {
    const { command } = gateway.lifecycle.preStop.exec;
    const [, pause] = /^setTimeout\(\(\) => \{\}, (\d+)\)$/.exec(command.at(-1)) ?? [];
    expect(command.slice(0, -1)).toEqual([image.entrypoint[0], '-e']);
    expect(milliseconds(pod.terminationGracePeriodSeconds)).toBeGreaterThan(Number(pause) + stopTimes.process);
  });
});

describe('records.service', () => {
  const text = textOf('deploy/records.service');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const sections = new Map<string, Map<string, string>>();
  for (const line of lines) {
    const section = /^\[(\w+)\]$/.exec(line)?.[1];
    if (section) sections.set(section, new Map());
    else [...sections.values()].at(-1)?.set(line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1));
  }
  const directive = (name: string) => sections.get('Service')?.get(name) ?? '';

  test('it starts what was built, with a command that there is', () => {
    expect([...sections.keys()]).toEqual(['Unit', 'Service', 'Install']);
    const [node = '', program = '', ...words] = directive('ExecStart').split(' ');
    expect(node).toMatch(/^\/\S*\/node$/);
    expect([isBuilt(program), words, unknownWords(words)]).toEqual([true, ['serve'], []]);
    expect(textOf('deploy.md')).toContain(`sudo ln -sfnT /opt/records-versions/1 ${installed}\n`);
  });

  test('its settings are settings of the gateway, and its database is in the folder that it may write', () => {
    const environment = Object.fromEntries(
      directive('Environment')
        .split(' ')
        .map((pair) => pair.split(/=(.*)/)),
    );
    expect(problemsOf(environment)).toEqual([]);
    const folder = `/var/lib/${directive('StateDirectory')}`;
    expect([environment.DATABASE_URL, directive('WorkingDirectory')]).toEqual([`file:${folder}/records.db`, folder]);
    expect(directive('EnvironmentFile')).toBe('-/etc/records.env');
    const named = [...text.matchAll(/\b[A-Z]+_KEY\b|\bWORKERS\b/g)].map(([name]) => name);
    expect(named.filter((each) => !settings.some(({ name }) => name === each))).toEqual([]);
    expect(new Set(named)).toEqual(new Set(['API_KEY', 'WEBHOOK_KEY', 'WORKERS']));
  });

  test('it runs as a user of its own, who writes nothing else', () => {
    expect([directive('DynamicUser'), directive('User'), directive('ProtectSystem')]).toEqual(['yes', '', 'strict']);
    expect([directive('NoNewPrivileges'), directive('ProtectHome')]).toEqual(['yes', 'yes']);
    expect(Object.fromEntries(sections.get('Service') ?? [])).toMatchObject({
      CapabilityBoundingSet: '',
      SystemCallFilter: '@system-service',
      UMask: '0077',
      ProtectKernelTunables: 'yes',
      ProtectKernelModules: 'yes',
      ProtectKernelLogs: 'yes',
    });
  });

  test('systemd takes it, and finds it well confined; it is started again however often the database is away', () => {
    requireProgram('systemd-analyze', 'systemd');
    const file = join(projectFolder, 'docs/deploy/records.service');
    const analyze = (...words: string[]) => spawnSync('systemd-analyze', [...words, file], { encoding: 'utf8' });
    const verified = analyze('verify')
      .stderr.split('\n')
      .filter((line) => line.includes('records.service'));
    // Where no node is installed, it says that the program cannot be executed.
    expect(verified.filter((line) => !line.includes('is not executable'))).toEqual([]);
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(analyze('security', '--offline=yes').stdout)?.[1];
    expect(Number(exposure)).toBeLessThan(2.5);
    expect(sections.get('Unit')?.get('StartLimitIntervalSec')).toBe('0');
    expect(milliseconds(`${directive('RestartSec')}s`)).toBeGreaterThanOrEqual(1_000);
  });

  test('it is given more time to stop than it takes, and not started again with settings that are wrong', () => {
    expect(milliseconds(directive('TimeoutStopSec'))).toBeGreaterThan(stopTimes.process);
    expect(directive('RestartPreventExitStatus')).toBe(String(exitCodes.misunderstood));
    expect(directive('Restart')).toBe('on-failure');
    expect(directive('ExecReload')).toBe('/bin/kill -HUP $MAINPID');
  });
});

test.each(['deploy/compose.yaml', 'deploy/kubernetes.yaml', 'deploy/records.service', 'operations.md'])(
  '%s says how long a stop takes at most',
  (file) => {
    const said = [...textOf(file).matchAll(/(?:Longer than the|be\s+ended after) (\d+) seconds/g)].map(
      ([, time]) => time,
    );
    expect(said).toEqual([String(stopTimes.process / 1000)]);
  },
);

test('the commands that the documentation runs in an installed gateway are there', () => {
  const lines = ['deploy.md', 'operations.md', 'database.md', 'webhooks.md', 'access.md'].flatMap((file) =>
    [...textOf(file).matchAll(/node (\/opt\/\S+) ([a-z][^`\n]*)/g)].map(([, program = '', rest = '']) => ({
      program,
      rest,
    })),
  );
  expect(lines.length).toBeGreaterThan(2);
  for (const { program, rest } of lines) {
    expect([program, isBuilt(program), unknownWords(rest.split(' '))]).toEqual([program, true, []]);
  }
});

test('the newest heading of the change log is the version', () => {
  const { version } = JSON.parse(textOf('../package.json'));
  expect(/^## (.+)$/m.exec(textOf('changelog.md'))?.[1]).toBe(version);
});
