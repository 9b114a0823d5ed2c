/** Formats webhooks for a terminal. */

import { shownInstant } from '../../../cli/time.js';
import { counted } from '../../../common/output.js';
import type { WebhookAttempt } from '../deliveries.js';
import { disabledReasons, type Webhook, type WebhookWithSecret, webhookState } from '../webhook.js';

/** A webhook with its secret, which is shown only once. */
export function secretText({ webhook, secret, publicKey }: WebhookWithSecret, what: string): string {
  return `${what} ${webhook.id}, "${webhook.name}".

  url         ${webhook.url}
  secret      ${secret}
  public key  ${publicKey}

The secret is shown only this once. Its receiver verifies signatures \`v1\` by it, or \`v1a\` by the public key alone.
`;
}

export function webhookListText(webhooks: readonly Webhook[]): string {
  if (webhooks.length === 0) return 'There is no webhook. `records webhooks create --help` says how to make one.\n';
  return webhooks.map(webhookText).join('\n');
}

export function webhookText(webhook: Webhook): string {
  const { id, name, url, types, actions, selection, keyId, position, failures, disabledReason } = webhook;
  const reason = disabledReason ? `: ${disabledReasons[disabledReason]}` : '';
  const failed = failures > 0 ? `, ${counted(failures, 'attempt')} failed in a row` : '';
  return `${id}  ${name}
  state      ${webhookState(webhook)}${reason}${failed}
  url        ${url}
  receives   ${types.join(', ') || 'all types'}; ${actions.join(', ') || 'all actions'}
  selection  ${selection?.replaceAll(/\s+/g, ' ') ?? 'none'}
  key        ${keyId}
  position   ${position}
`;
}

/** One line for each attempt, the newest first. */
export function attemptsText(attempts: readonly WebhookAttempt[]): string {
  if (attempts.length === 0) return 'Nothing has been delivered yet.\n';
  return attempts
    .map(
      ({ at, status, failure, milliseconds, messageId }) =>
        `${shownInstant(at)}  ${String(status ?? failure).padEnd(17)}  ${String(milliseconds).padStart(6)} ms  ${messageId}\n`,
    )
    .join('');
}
