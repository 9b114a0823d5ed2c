import type { GraphQLSchema } from 'graphql';
import { createJournal } from '../../../change/journal/journal.js';
import { readDatabase, withDatabase } from '../../../cli/with-database.js';
import { Current } from '../../../common/current.js';
import type { Database } from '../../../database/open-database.js';
import type { Config } from '../../../gateway/config/config.js';
import { type Feature, servedFeatures } from '../../../gateway/feature.js';
import { datamodel } from '../../../generated/datamodel.js';
import { createSchema } from '../../../graphql/create-schema.js';
import { createAdmission } from '../../../graphql/operation/admission.js';
import { readTrustedDocuments } from '../../../graphql/operation/trusted-documents.js';
import type { SchemaPart } from '../../../graphql/schema-part.js';
import { catalogue } from '../../../model/catalogue.js';
import { createResources } from '../../../model/create-resources.js';
import { errors } from '../../../model/errors/errors.js';
import { pageOfAttempts, redeliver, replayWebhook, testWebhook } from '../deliveries.js';
import { usableIdentities } from '../delivery/new-delivery.js';
import { findWebhook, listWebhooks } from '../find-webhook.js';
import {
  createWebhook,
  deleteWebhook,
  type Management,
  requireHost,
  rotateSecret,
  updateWebhook,
} from '../manage-webhooks.js';
import type { WebhookInput } from '../webhook.js';
import { type WebhookHost, webhookHost } from '../webhook-host.js';

/** Manages the webhooks of the database that `config` names, which each call opens and closes. */
export function webhookAdministration(config: Config, features: readonly Feature[]) {
  const inDatabase = <Result>(work: (database: Database, host: WebhookHost) => Promise<Result>) =>
    withDatabase(config, async (database) => work(database, hostOf(database, config, await servedFeatures(features))));
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

function hostOf(database: Database, config: Config, features: readonly SchemaPart[]): WebhookHost {
  const resources = createResources(datamodel, catalogue);
  const { costLimit, trustedDocuments: file } = config;
  const trustedDocuments = Current.of(file ? readTrustedDocuments(file) : undefined);
  // Only a selection needs the schema, and building it takes longer than the rest of a command.
  let made: GraphQLSchema | undefined;
  const schema = () => (made ??= createSchema({ resources, features }));
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
