import { AddressRefused } from './pinned-lookup.js';

/** Why a request of a webhook has no status. */
export type SendFailure = keyof typeof sendFailures;

/** What each means, for those who read the log of deliveries. */
export const sendFailures = {
  address_refused: 'The host has an address that webhooks may not be sent to.',
  name_unknown: 'The name of the host could not be resolved.',
  connection_failed: 'The host could not be reached, or broke off the connection.',
  tls_failed: 'The certificate of the host is not valid for its name.',
  timeout: 'The host has not answered in time.',
  answer_invalid: 'The host has answered something that is not HTTP.',
  broken_off: 'The gateway stopped before the host had answered.',
} as const;

/** The failure behind an error of a request; its message, which may hold the address, is not kept. */
export function failureOf(error: unknown): SendFailure {
  if (error instanceof AddressRefused) return 'address_refused';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ABORT_ERR') return 'broken_off';
  if (/^(ENOTFOUND|ENODATA|ESERVFAIL|EREFUSED|EAI_|EBADNAME|EBADRESP|ENONAME|ETIMEOUT)/.test(code))
    return 'name_unknown';
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/.test(code)) return 'tls_failed';
  if (code.startsWith('HPE_')) return 'answer_invalid';
  return code === 'ETIMEDOUT' ? 'timeout' : 'connection_failed';
}
