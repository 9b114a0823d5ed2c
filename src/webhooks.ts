/**
 * `npm run webhooks`: manages webhooks on the database of DATABASE_URL, also while gateways use it. On an error it exits
 * with 1 and prints what to do.
 */
import { runCommand } from './keys/run-command.js';
import { webhookAdministration } from './webhooks-command/webhook-administration.js';
import { webhooksCommand } from './webhooks-command/webhooks-command.js';

await runCommand(webhooksCommand(webhookAdministration(process.env), (text) => process.stdout.write(text)));
