import type { Rules } from '../../model/change.js';

/**
 * Both are marked R in the document (2.3), but the settings exist before anybody has set them: they start as null and,
 * once set, stay set (decision: singletons).
 */
const requiredOnceSet = ['apiEndpoint', 'serviceProvider'];

export const currencyExchangeSettings: Rules = {
  beforeUpdate: {
    ofValues: ({ values }) =>
      requiredOnceSet
        .filter((field) => values[field] === null)
        .map((field) => ({
          path: [field],
          code: 'parameter_invalid',
          message: 'cannot be set to null; send a string, or leave it out to keep it as it is',
        })),
  },
};
