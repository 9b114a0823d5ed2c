import { isHostOrNetwork } from '../../common/network.js';
import { settingsAfter } from '../../gateway/config/config.js';
import { list, setting, text } from '../../gateway/config/setting.js';

export const webhookSettings = settingsAfter('trustedProxies', {
  webhookKey: setting({
    form: text.regex(/^[\x21-\x7e]{32,256}$/).optional(),
    meaning:
      'The key from which the signing secrets of webhooks are derived, the same for all processes. If not set, there are no webhooks.',
    requirement: 'must be 32 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  }),
  webhookAllow: setting({
    form: list(text).refine((entries) => entries.every(isHostOrNetwork)),
    meaning:
      'Hosts that are not public but may receive webhooks, separated by commas: names, addresses, or networks like 10.0.0.0/8.',
    requirement: 'must be names of hosts, addresses or networks like 10.0.0.0/8, separated by commas',
  }),
});
