/** What webhooks of keys with roles are told: of records that the key sees at that moment, and nothing of hidden fields. */
import { writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { grantsOfCommand } from '../../src/cli/work.js';
import { Current } from '../../src/common/kept.js';
import { features } from '../../src/features.js';
import { noGrants } from '../../src/gateway/access/grants.js';
import {
  attemptsOf,
  createWebhook,
  startDeliverer,
  until,
  webhookNamed,
  webhookSettings,
} from '../features/webhooks/deliverer.js';
import { startReceiver } from '../features/webhooks/receiver.js';
import { providers } from '../support/database.js';
import { repairOf, rolesOfRules, startRuled } from './rules.js';

describe.each(providers)('on %s', (database) => {
  test('of what is seen, with what is seen of it; nothing else is sent, and nothing fails', async () => {
    const gateway = await startRuled(database, webhookSettings);
    const reader = await gateway.caller('reader');
    const receiver = await startReceiver();
    const selection = '{ ... on AssetRepair { company actionsPerformed consumedItems { serialNo } } }';
    const { webhook } = await createWebhook(reader, { url: receiver.url, types: ['ASSET_REPAIR'], selection });
    const mine = await repairOf(gateway, 'ACME');
    const theirs = await repairOf(gateway, 'Other');
    await theirs.change({ asset: 'mill' });
    const left = await repairOf(gateway, 'ACME');
    await left.change({ company: 'Other' });
    await theirs.remove();
    const last = await repairOf(gateway, 'ACME');
    await last.remove();
    const grants = await grantsOfCommand(features, gateway.config);
    const deliverer = startDeliverer(gateway, undefined, grants);
    onTestFinished(() => deliverer.stop());
    const told = () => receiver.received.map(({ text }) => JSON.parse(text).data);
    const isLast = ({ id, action }: { id: string; action: string }) => id === last.line && action === 'delete';
    await until('the last message', () => told().some(isLast));
    await until(
      'the position',
      async () => (await webhookNamed(gateway, webhook.id)).position > told().at(-1).position - 1,
    );
    expect(new Set(told().map(({ document }) => document.id))).toEqual(new Set([mine.id, last.id]));
    expect(told()).toHaveLength(6);
    for (const { document, record } of told())
      if (document.id === mine.id)
        expect(record).toEqual({ company: 'ACME', actionsPerformed: null, consumedItems: [{ serialNo: null }] });
    expect(await webhookNamed(gateway, webhook.id)).toMatchObject({ state: 'ACTIVE', failures: 0 });
    expect(await attemptsOf(gateway, webhook.id)).toHaveLength(6);
    // Somebody who asks for the message of a hidden change learns no more than of one that never was.
    const { entries } = await gateway.journal.read(0, 100);
    const again = async (position: number | undefined) => {
      const query =
        'mutation ($id: ID!, $message: ID!) { redeliverWebhookMessage(id: $id, messageId: $message) { message { messageId } userErrors { message } } }';
      return (await gateway.graphql(query, { id: webhook.id, message: `msg_${webhook.id}_${position}` })).text;
    };
    const positionOf = (of: string) => entries.find(({ document }) => document.id === of)?.position;
    expect(await again(positionOf(theirs.id))).toContain('is the id of no message');
    expect(await again(positionOf(mine.id))).not.toContain('is the id of no message');
    // The roles of now count.
    await until('the repetition', () => told().length === 7);
    const { read: _, ...others } = rolesOfRules.reader.types.AssetRepair;
    writeFileSync(
      gateway.file,
      JSON.stringify({ ...rolesOfRules, reader: { ...rolesOfRules.reader, types: { AssetRepair: others } } }),
    );
    grants.replace((await grantsOfCommand(features, gateway.config)).value);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await mine.change({ asset: 'saw' });
    const { last: end } = await gateway.journal.continuationOf(0);
    await until('the position', async () => (await webhookNamed(gateway, webhook.id)).position >= end);
    expect(told()).toHaveLength(7);
  });

  test('wait where the roles are not known, and are sent when they are', async () => {
    const gateway = await startRuled(database, webhookSettings);
    const reader = await gateway.caller('reader');
    const receiver = await startReceiver();
    const { webhook } = await createWebhook(reader, { url: receiver.url, types: ['ASSET_REPAIR'] });
    const mine = await repairOf(gateway, 'ACME');
    const grants = Current.of(noGrants);
    const deliverer = startDeliverer(gateway, undefined, grants);
    onTestFinished(() => deliverer.stop());
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(receiver.received).toHaveLength(0);
    grants.replace((await grantsOfCommand(features, gateway.config)).value);
    const ids = () => receiver.received.map(({ text }) => JSON.parse(text).data.id);
    await until('the message', () => ids().includes(mine.id));
    expect(await webhookNamed(gateway, webhook.id)).toMatchObject({ state: 'ACTIVE', failures: 0 });
  });
});
