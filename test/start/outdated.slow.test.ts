/** A start names what was stored for an earlier version of the schema and is no longer valid. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createWebhook, webhookSettings } from '../features/webhooks/deliverer.js';
import { freshDatabaseUrl, freshFolder, providers } from '../support/database.js';
import { startGateway } from '../support/gateway.js';
import { startProcess } from '../support/process.js';

test.each(providers)('selections of webhooks and trusted documents, with what is wrong, on %s', async (provider) => {
  const url = await freshDatabaseUrl(provider);
  const gateway = await startGateway({ env: { ...webhookSettings, DATABASE_URL: url } });
  const ids: string[] = [];
  for (const name of ['old', 'valid', 'disabled', 'broken', 'quoting']) {
    const input = { name, url: 'http://127.0.0.1:1/', selection: '{ ... on BusinessRecord { version } }' };
    ids.push((await createWebhook(gateway, input)).webhook.id);
  }
  const { webhook } = gateway.database.client;
  const selection = '{ ... on Record { version } }';
  await webhook.update({ where: { id: ids[0] }, data: { selection } });
  await webhook.update({
    where: { id: ids[2] },
    data: { selection, disabledAt: new Date(), disabledReason: 'by_hand' },
  });
  // As a later version would see what only an earlier one can parse; a value in it may be a secret.
  await webhook.update({ where: { id: ids[3] }, data: { selection: '{ id } { id }' } });
  await webhook.update({ where: { id: ids[4] }, data: { selection: '{ id "hunter2" }' } });
  await gateway.close();

  const trusted = join(freshFolder(), 'trusted.json');
  const documents = {
    old: 'query Old { node(id: "x") { ... on Record { version } } }',
    valid: '{ __typename }',
    changed:
      'query ($types: [RecordType!]) { changes(types: $types) { nodes { type id: recordId } position } assetRepair(id: "x", asOf: "2026-11-20") { asset } }',
    none: '{',
  };
  writeFileSync(trusted, JSON.stringify(documents));
  const { child, ready, log, ended } = startProcess({
    ...webhookSettings,
    DATABASE_URL: url,
    TRUSTED_DOCUMENTS: trusted,
    LOG_LEVEL: 'debug',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await ready();
  await expect.poll(log).toMatch(/"document":"none"/);
  const outdated = log()
    .split('\n')
    .filter((line) => line.includes('not valid in this version'));
  const told = outdated
    .map((line) => JSON.parse(line))
    .map(({ webhook: its, document, problem }) => [its ?? document, problem]);
  expect(Object.fromEntries(told)).toEqual({
    [String(ids[0])]: expect.stringContaining('Unknown type "Record"'),
    [String(ids[3])]: '`input.selection` must be one selection, such as `{ asset status }`.',
    [String(ids[4])]: '`input.selection` cannot be parsed: Syntax Error: Expected Name, found String.',
    old: expect.stringContaining('Unknown type "Record"'),
    none: expect.stringContaining('Syntax Error'),
  });
  expect(Object.fromEntries(told)[String(ids[0])]).toContain('It is called `BusinessRecord` now.');
  const changed = /^.*"document":"changed".*$/m.exec(log())?.[0] ?? '{}';
  // At the level info only by a start that upgrades: this database is of this version.
  expect(JSON.parse(changed).level).toBe('debug');
  expect(JSON.parse(changed).changed).toEqual([
    '$types',
    'RecordChange.type',
    'ChangePage.position',
    'asOf of assetRepair',
  ]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});
