import type { GraphQLSchema } from 'graphql';
import { createJournal } from '../../../change/journal/journal.js';
import { grantsOfCommand, readDatabase, withDatabase } from '../../../cli/work.js';
import { Current } from '../../../common/kept.js';
import type { OpenedDatabase } from '../../../database/open-database.js';
import { validKeys } from '../../../gateway/access/authenticator.js';
import type { Config } from '../../../gateway/config/config.js';
import { type Feature, servedFeatures } from '../../../gateway/feature.js';
import { createSchema } from '../../../graphql/create-schema.js';
import { createAdmission } from '../../../graphql/operation/admission.js';
import { readTrustedDocuments } from '../../../graphql/operation/trusted-documents.js';
import { errors } from '../../../model/errors/errors.js';
import { allResources } from '../../../model/resources.js';
import { pageOfAttempts, redeliver, replayWebhook, testWebhook } from '../deliveries.js';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  type Management,
  mostWebhooks,
  pageOfWebhooks,
  rotateSecret,
  updateWebhook,
} from '../manage-webhooks.js';
import type { WebhookInput } from '../webhook.js';
import type { WebhookHost } from '../webhook-problems.js';

/** Manages the webhooks of the database that `config` names, which each call opens and closes. */
export function webhookAdministration(config: Config, features: readonly Feature[]) {
  /** `keyId` names the API key whose scopes the webhook gets. */
  const work = <Result>(act: (management: Management) => Promise<Result>, keyId?: string) =>
    withDatabase(config, async (database) => {
      const host = await hostOf(database, config, features);
      const maker = keyId === undefined ? { keyId: '', scopes: [] } : await makerOf(host, keyId);
      return act({ database, host, maker });
    });
  return {
    create: (input: WebhookInput, keyId: string) => work((management) => createWebhook(management, input), keyId),
    list: () => readDatabase(config, ({ client }) => pageOfWebhooks(client, { first: mostWebhooks }).rows()),
    /** Without `keyId` the webhook keeps its key. */
    enable: (id: string, enabled: boolean, keyId?: string) =>
      work(async (management) => {
        // A new URL comes with the scopes of the key that sets it.
        const { url } = await findWebhook(management.database.client, id);
        return updateWebhook(management, id, keyId === undefined ? { enabled } : { enabled, url });
      }, keyId),
    remove: (id: string) => work(({ database }) => deleteWebhook(database, id)),
    rotate: (id: string, overlapSeconds: number) => work((management) => rotateSecret(management, id, overlapSeconds)),
    replay: (id: string, after: number) => work((management) => replayWebhook(management, id, after)),
    redeliver: (id: string, message: string) =>
      work(async (management) => ({ messageId: await redeliver(management, id, message) })),
    test: (id: string) => work(async ({ database }) => ({ messageId: await testWebhook(database, id) })),
    attempts: (id: string, limit: number) =>
      readDatabase(config, async ({ client }) => (await pageOfAttempts(client, id, { first: limit })).rows()),
  };
}

async function hostOf(database: OpenedDatabase, config: Config, features: readonly Feature[]): Promise<WebhookHost> {
  const served = await servedFeatures(features, config);
  const grants = await grantsOfCommand(features, config);
  const { costLimit, trustedDocuments: file } = config;
  const trustedDocuments = Current.of(file ? readTrustedDocuments(file) : undefined);
  // Only a selection needs the schema, and building it takes longer than the rest of a command.
  let made: GraphQLSchema | undefined;
  const host: WebhookHost = {
    config,
    database,
    grants,
    journal: config.journal ? createJournal(database, allResources, true) : undefined,
    get schema() {
      made ??= createSchema({ resources: allResources, features: served });
      return made;
    },
    get admission() {
      return createAdmission(host.schema, { costLimit, trustedDocuments });
    },
  };
  return host;
}

/** @throws BAD_USER_INPUT if the key is unknown, expired or revoked */
async function makerOf({ database, grants }: WebhookHost, keyId: string): Promise<Management['maker']> {
  const maker = (await validKeys(database, [keyId], grants)).get(keyId);
  if (!maker) throw errors.invalidAt(['key'], 'is the id of no valid API key; `records keys list` shows them');
  return maker;
}
