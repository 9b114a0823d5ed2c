/** Rules of single record types. Each type's rules are in a file named after it. */
import type { RecordModel } from '../../model/catalogue.js';
import type { Rules } from '../../model/change.js';
import { currencyExchangeSettings } from './currency-exchange-settings.js';

export const rules: Partial<Record<RecordModel, Rules>> = {
  CurrencyExchangeSettings: currencyExchangeSettings,
};
