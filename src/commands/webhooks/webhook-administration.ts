import type { GraphQLSchema } from 'graphql';
import { catalogue } from '../../catalogue.js';
import type { Config } from '../../config/config.js';
import type { WebhookHost } from '../../context.js';
import { Current } from '../../current.js';
import type { Database } from '../../database/open-database.js';
import { errors } from '../../errors/errors.js';
import { webhookHost } from '../../execution/webhook-host.js';
import { datamodel } from '../../generated/datamodel.js';
import { createJournal } from '../../journal/journal.js';
import { createResources } from '../../model/create-resources.js';
import { createAdmission } from '../../operation/admission.js';
import { readTrustedDocuments } from '../../operation/trusted-documents.js';
import { createSchema } from '../../schema/create-schema.js';
import { pageOfAttempts, redeliver, replayWebhook, testWebhook } from '../../webhooks/deliveries.js';
import { usableIdentities } from '../../webhooks/delivery/usable-identities.js';
import { findWebhook, listWebhooks } from '../../webhooks/find-webhook.js';
import { createWebhook, deleteWebhook, updateWebhook } from '../../webhooks/manage-webhooks.js';
import { type Management, requireHost } from '../../webhooks/management.js';
import { rotateSecret } from '../../webhooks/rotate-secret.js';
import type { WebhookInput } from '../../webhooks/webhook.js';
import { readDatabase, withDatabase } from '../with-database.js';

/** Manages the webhooks of the database that `config` names, which each call opens and closes. */
export function webhookAdministration(config: Config) {
  const inDatabase = <Result>(work: (database: Database, host: WebhookHost) => Promise<Result>) =>
    withDatabase(config, (database) => work(database, hostOf(database, config)));
  return {
    /** `keyId` names the API key whose scopes the webhook gets. */
    create: (input: WebhookInput, keyId: string) =>
      inDatabase(async (database, host) => createWebhook(await managementOf(database, host, keyId), input)),
    list: () => readDatabase(config, ({ client }) => listWebhooks(client)),
    /** Without `keyId` the webhook keeps its key. */
    enable: (id: string, enabled: boolean, keyId?: string) =>
      inDatabase(async (database, host) => {
        const webhook = await findWebhook(database.client, id);
        if (keyId === undefined) {
          return updateWebhook({ database, host, maker: { keyId: webhook.keyId, scopes: [] } }, id, { enabled });
        }
        // A new URL comes with the scopes of the key that sets it.
        return updateWebhook(await managementOf(database, host, keyId), id, { enabled, url: webhook.url });
      }),
    remove: (id: string) => inDatabase((database) => deleteWebhook(database, id)),
    rotate: (id: string, overlapSeconds: number) =>
      inDatabase((database, host) => rotateSecret({ database, host }, id, overlapSeconds)),
    replay: (id: string, after: number) => inDatabase((database, host) => replayWebhook({ database, host }, id, after)),
    /** Returns the id of the message. */
    redeliver: (id: string, messageId: string) =>
      inDatabase((database, host) => redeliver(database, requireHost(host).journal, id, messageId)),
    test: (id: string) => inDatabase((database) => testWebhook(database, id)),
    attempts: (id: string, limit: number) =>
      readDatabase(config, async ({ client }) => (await pageOfAttempts(client, id, { first: limit })).rows()),
  };
}

function hostOf(database: Database, config: Config): WebhookHost {
  const resources = createResources(datamodel, catalogue);
  const { costLimit, trustedDocuments: file } = config;
  const trustedDocuments = Current.of(file ? readTrustedDocuments(file) : undefined);
  // Only a selection needs the schema, and building it takes longer than the rest of a command.
  let made: GraphQLSchema | undefined;
  const schema = () => (made ??= createSchema({ resources }));
  const admission = () => createAdmission(schema(), { costLimit, trustedDocuments });
  const journal = config.journal ? createJournal(database, resources, true) : undefined;
  return webhookHost({
    config,
    admission: { fromRequest: (...given) => admission().fromRequest(...given) },
    ...{ journal, schema },
  });
}

/** @throws BAD_USER_INPUT if the key is unknown, expired or revoked */
async function managementOf(database: Database, host: WebhookHost, keyId: string): Promise<Management> {
  const maker = (await usableIdentities(database.client, [keyId])).get(keyId);
  if (!maker) {
    const message = 'is the id of no valid API key; `records keys list` shows them';
    throw errors.badInput([{ path: ['key'], code: 'parameter_invalid', message }]);
  }
  return { database, host, maker };
}
