/**
 * `npm run webhooks`: manages webhooks on the database of DATABASE_URL, also while gateways use it. On an error it exits
 * with 1 and prints what to do.
 */
import { catalogue } from './catalogue.js';
import { type Config, readConfig } from './config.js';
import type { Database } from './database/open-database.js';
import { errors } from './errors.js';
import { webhookHost } from './execution/webhook-host.js';
import { datamodel } from './generated/datamodel.js';
import { createJournal } from './journal/journal.js';
import { runCommand, withDatabase } from './keys/run-command.js';
import { createResources } from './model/create-resources.js';
import { createAdmission } from './operation/admission.js';
import { readTrustedDocuments } from './operation/trusted-documents.js';
import { createSchema } from './schema/create-schema.js';
import { listAttempts, redeliver, replayWebhook, testWebhook } from './webhooks/deliveries.js';
import { findWebhook, listWebhooks } from './webhooks/find-webhook.js';
import { createWebhook, deleteWebhook, updateWebhook } from './webhooks/manage-webhooks.js';
import { requireHost } from './webhooks/management.js';
import { rotateSecret } from './webhooks/rotate-secret.js';
import { usableIdentities } from './webhooks/usable-identities.js';
import { type WebhookAdministration, webhooksCommand } from './webhooks-command/webhooks-command.js';

const administration: WebhookAdministration = {
  create: (input, keyId) => withDatabase(async (database) => createWebhook(await managementOf(database, keyId), input)),
  list: () => withDatabase(({ client }) => listWebhooks(client)),
  enable: (id, enabled, keyId) =>
    withDatabase(async (database) => {
      const webhook = await findWebhook(database.client, id);
      if (keyId === undefined) {
        const maker = { keyId: webhook.keyId, scopes: [] };
        return updateWebhook({ database, host: hostOf(database), maker }, id, { enabled });
      }
      // Whoever gives the URL gives it the scopes of their key.
      return updateWebhook(await managementOf(database, keyId), id, { enabled, url: webhook.url });
    }),
  remove: (id) => withDatabase((database) => deleteWebhook(database, id)),
  rotate: (id, overlapSeconds) =>
    withDatabase((database) => rotateSecret({ database, host: hostOf(database) }, id, overlapSeconds)),
  replay: (id, after) => withDatabase((database) => replayWebhook({ database, host: hostOf(database) }, id, after)),
  redeliver: (id, messageId) =>
    withDatabase((database) => redeliver(database, requireHost(hostOf(database)).journal, id, messageId)),
  test: (id) => withDatabase((database) => testWebhook(database, id)),
  attempts: (id, limit) => withDatabase(({ client }) => listAttempts(client, id, { limit })),
};

await runCommand(webhooksCommand(administration, (text) => process.stdout.write(text)));

function hostOf(database: Database) {
  const config: Config = readConfig(process.env);
  const resources = createResources(datamodel, catalogue);
  const { costLimit, trustedDocuments: file } = config;
  const trustedDocuments = file ? readTrustedDocuments(file) : undefined;
  const admission = createAdmission(createSchema({ resources }), { costLimit, trustedDocuments });
  const journal = config.journal ? createJournal(database, resources, true) : undefined;
  return webhookHost({ config, admission, journal });
}

/** @throws BAD_USER_INPUT if the key is unknown, expired or revoked */
async function managementOf(database: Database, keyId: string) {
  const maker = (await usableIdentities(database.client, [keyId])).get(keyId);
  if (!maker) {
    const message = 'is the id of no valid API key; `npm run keys -- list` shows them';
    throw errors.badInput([{ path: ['key'], code: 'parameter_invalid', message }]);
  }
  return { database, host: hostOf(database), maker };
}
