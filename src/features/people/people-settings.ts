import { isHostOrNetwork } from '../../common/network.js';
import { settingsAfter } from '../../gateway/config/config.js';
import { filePath, list, optional, setting, text } from '../../gateway/config/setting.js';

export const peopleSettings = settingsAfter('apiKey', {
  roles: setting({
    ...optional(filePath),
    meaning:
      'A JSON file of roles: what their holders may do, which records of each type they see and change, and which fields are hidden from them (docs/access.md).',
  }),
  issuers: setting({
    ...optional(filePath),
    meaning: 'A JSON file that says whose tokens sign people in, and which roles they get (docs/access.md).',
  }),
  issuersAllow: setting({
    form: list(text).refine((entries) => entries.every(isHostOrNetwork)),
    meaning:
      'Hosts that are not public but from which keys of issuers may be fetched, separated by commas: names, addresses, or networks like 10.0.0.0/8.',
    requirement: 'must be names of hosts, addresses or networks like 10.0.0.0/8, separated by commas',
  }),
  answerKey: setting({
    form: text.regex(/^[\x21-\x7e]{32,256}$/).optional(),
    meaning:
      'The key that encrypts the stored answers of people, the same for all processes. If not set, each process makes one of its own when it starts.',
    requirement: 'must be 32 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  }),
});
