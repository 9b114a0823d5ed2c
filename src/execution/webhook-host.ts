import type { Config } from '../config.js';
import type { JournalReads, WebhookHost } from '../context.js';
import type { Admission } from '../operation/admission.js';
import { DocumentRefused } from '../operation/refusal.js';
import { knownError } from '../shown-errors/show-error.js';

interface HostParts {
  config: Pick<Config, 'webhookKey' | 'webhookAllow'>;
  admission: Pick<Admission, 'fromRequest'>;
  journal: JournalReads | undefined;
}

/** What the management of webhooks needs of the process. */
export function webhookHost({ config, admission, journal }: HostParts): WebhookHost {
  return {
    masterKey: config.webhookKey,
    allowed: config.webhookAllow,
    journal,
    problemWith(query) {
      try {
        admission.fromRequest({ query, variables: { id: '' } }, false);
        return undefined;
      } catch (error) {
        return error instanceof DocumentRefused ? error.errors[0]?.message : knownError(error).message;
      }
    },
  };
}
