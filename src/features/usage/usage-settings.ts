import { setting, text } from '../../gateway/config/setting.js';

export const usageSettings = {
  after: 'trustedDocuments' as const,
  entries: {
    deprecations: setting({
      name: 'DEPRECATIONS',
      form: text.optional(),
      meaning:
        'A JSON file that says which REST endpoints are deprecated, when they end, and for which keys (docs/moving-to-graphql.md).',
      requirement: 'must be the path of a file',
    }),
  },
};
