/** What holds for one record type only. Each type's rules are in a file of their own, named after it. */
import type { RecordModel } from '../../catalogue.js';
import type { Rules } from '../../model/change.js';
import { currencyExchangeSettings } from './currency-exchange-settings.js';

export const rules: Partial<Record<RecordModel, Rules>> = {
  CurrencyExchangeSettings: currencyExchangeSettings,
};
