import { settingsAfter } from '../../gateway/config/config.js';
import { filePath, optional, setting } from '../../gateway/config/setting.js';

export const peopleSettings = settingsAfter('apiKey', {
  roles: setting({
    ...optional(filePath),
    meaning:
      'A JSON file of roles: what their holders may do, which records of each type they see and change, and which fields are hidden from them (docs/access.md).',
  }),
});
