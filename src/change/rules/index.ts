/** Rules of single record types; a type with many gets a file of its own beside this one. */
import type { RecordModel } from '../../model/catalogue.js';
import type { Rules } from '../../model/change.js';

/**
 * Both are documented as required, but the settings exist before anybody has set them: they start as null, and once set
 * they cannot be cleared (docs/decisions.md: Singletons).
 */
const requiredOnceSet = ['apiEndpoint', 'serviceProvider'];

const currencyExchangeSettings: Rules = {
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

export const rules: Partial<Record<RecordModel, Rules>> = {
  CurrencyExchangeSettings: currencyExchangeSettings,
};
