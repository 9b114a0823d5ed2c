import { settingsAfter } from '../../gateway/config/config.js';
import { filePath, optional, setting } from '../../gateway/config/setting.js';

export const usageSettings = settingsAfter('trustedDocuments', {
  deprecations: setting({
    ...optional(filePath),
    meaning:
      'A JSON file that says which REST endpoints are deprecated, when they end, and for which keys (docs/moving-to-graphql.md).',
  }),
});
