import type { RecordModel } from '../../catalogue.js';
import { currencyExchangeSettings } from './currency-exchange-settings.js';
import type { Rules } from './rules.js';

export const rules: Partial<Record<RecordModel, Rules>> = {
  CurrencyExchangeSettings: currencyExchangeSettings,
};
