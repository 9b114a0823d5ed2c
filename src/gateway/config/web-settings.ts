/** Pages of other origins that may call the gateway, proxies in front of it, and hosts that it calls. */
import * as z from 'zod';
import { isHostOrNetwork, networkOf } from '../../common/network.js';
import { list, setting } from './setting.js';

export const webSettings = {
  corsOrigins: setting({
    name: 'CORS_ORIGINS',
    form: list(z.string().regex(/^(\*|https?:\/\/[^\s,/]+(,https?:\/\/[^\s,/]+)*)$/)),
    meaning:
      'The origins whose web pages may use the gateway, separated by commas, or * for all. If not set, only the pages of the gateway itself.',
    requirement: 'must be origins like https://app.example, separated by commas, or *',
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    form: list(z.string()).refine((entries) => entries.every(networkOf)),
    meaning:
      'The proxies in front of the gateway, separated by commas: addresses, or networks like 10.0.0.0/8. The log then names the address of the client, from the X-Forwarded-For of these proxies only.',
    requirement: 'must be addresses or networks like 10.0.0.0/8, separated by commas',
  }),
  webhookKey: setting({
    name: 'WEBHOOK_KEY',
    form: z
      .string()
      .regex(/^[\x21-\x7e]{32,256}$/)
      .optional(),
    meaning:
      'The key from which the signing secrets of webhooks are derived, the same for all processes. If not set, there are no webhooks.',
    requirement: 'must be 32 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  }),
  webhookAllow: setting({
    name: 'WEBHOOK_ALLOW',
    form: list(z.string()).refine((entries) => entries.every(isHostOrNetwork)),
    meaning:
      'Hosts that are not public but may receive webhooks, separated by commas: names, addresses, or networks like 10.0.0.0/8.',
    requirement: 'must be names of hosts, addresses or networks like 10.0.0.0/8, separated by commas',
  }),
};
